// A guest program for tests: prints what it was handed, then ends as its first argument says.
//
//   probe [STATUS|abort|fork|memory|reboot|off|binary] ...
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

static void copy(const char *path, FILE *from) {
    int byte;
    printf("%s:", path);
    while (from && (byte = fgetc(from)) != EOF)
        putchar(byte);
    printf("|\n");
}

// A child of its own, through a pipe.
static int run_child(void) {
    int ends[2], status;
    char text[8] = "";
    if (pipe(ends) != 0) return 1;
    pid_t child = fork();
    if (child == 0) _exit(write(ends[1], "child", 6) == 6 ? 9 : 1);
    if (read(ends[0], text, sizeof text) != 6 || waitpid(child, &status, 0) != child) return 2;
    printf("%s ended with %d\n", text, WEXITSTATUS(status));
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "0";
    for (int i = 0; i < argc; i++)
        printf("argument %s\n", argv[i]);
    printf("PROBE=%s\n", getenv("PROBE") ? getenv("PROBE") : "");
    printf("%.15f\n", sqrt(argc + 1.0));
    copy("stdin", stdin);
    copy("/some/where", fopen("/some/where", "r"));
    copy("probe.txt", fopen("probe.txt", "r"));
    fprintf(stderr, "stderr\n");
    fflush(stdout);
    if (!strcmp(what, "abort")) abort();
    if (!strcmp(what, "fork")) return run_child();
    if (!strcmp(what, "memory")) {
        for (size_t i = 0;; i++) // until the kernel has no more
            memset(malloc(1 << 20), (int)i, 1 << 20);
    }
    if (!strcmp(what, "reboot")) reboot(RB_AUTOBOOT);
    if (!strcmp(what, "off")) reboot(RB_POWER_OFF);
    if (!strcmp(what, "binary")) {
        for (int i = 0; i < 256; i++)
            putchar(i);
    }
    return atoi(what);
}
