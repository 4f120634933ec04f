// Asks the C library for the time and for names of files: prints what it gets, a fact a line.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static uint64_t cycles(void) {
    uint64_t count;
    __asm__ volatile("rdcycle %0" : "=r"(count));
    return count;
}

int main(int argc, char **argv) {
    struct stat status;
    struct timeval now;
    struct tms used;
    (void)argc;
    const clock_t before = clock();
    const uint64_t first = cycles();
    for (volatile int i = 0; i < 20000; i++)
        ;
    const clock_t after = clock();
    printf("clock %ld of %d a second, %lu cycles\n", (long)(after - before), (int)CLOCKS_PER_SEC,
           (unsigned long)(cycles() - first));
    const time_t seconds = time(NULL);
    gettimeofday(&now, NULL);
    printf("date %s", asctime(gmtime(&seconds)));
    printf("same %d, times %d\n", now.tv_sec == seconds, times(&used) >= after && used.tms_utime >= after);
    printf("stat %d, %ld bytes; access %d %d\n", stat(argv[1], &status), (long)status.st_size, access(argv[1], R_OK),
           access(argv[1], W_OK));
    errno = 0;
    printf("none %d %s\n", stat("nothing/here", &status), strerror(errno));
    printf("remove %d %s\n", remove(argv[1]), strerror(errno));
    printf("rename %d %s\n", rename(argv[1], "other"), strerror(errno));
    return 0;
}
