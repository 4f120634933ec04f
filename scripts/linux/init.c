// First process of the guest: takes a program from the tray (tray.h), runs it, and powers the machine off with its exit
// status. Statically linked; the kernel holds it in its initramfs.
//
//   tray -> files in /, arguments, environment -> fork, exec -> wait -> status to the test finisher
#include "tray.h"
#include "memory_map.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { MOST = 1024, FAIL = 0x3333, NOT_FOUND = 127, NOT_EXECUTABLE = 126 };
#define STRINGIFY(x) #x
#define MARKER(number) __asm__ volatile("slti x0, x0, " STRINGIFY(number) ::: "memory")

struct job {
    const char *program;
    char *argv[MOST + 1], *envp[MOST + 1];
    int argc, envc;
};

static volatile uint32_t *finisher;

static _Noreturn void end(unsigned status) {
    fflush(NULL);
    tcdrain(STDOUT_FILENO);
    tcdrain(STDERR_FILENO);
    *finisher = FAIL | status << 16;
    for (;;)
        pause();
}

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "init: %s: %s\n", what, strerror(errno));
    end(NOT_EXECUTABLE);
}

static void *map(int memory, uint64_t address, size_t bytes, int protection) {
    void *at = mmap(NULL, bytes, protection, MAP_SHARED, memory, (off_t)address);
    if (at == MAP_FAILED) give_up("/dev/mem");
    return at;
}

// A serial port as a pipe: bytes pass as they are.
static void open_port(const char *path, int as) {
    struct termios t;
    int fd = open(path, O_RDWR | O_NOCTTY);
    if (fd < 0 || tcgetattr(fd, &t) != 0) give_up(path);
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    cfsetspeed(&t, B115200);
    if (tcsetattr(fd, TCSANOW, &t) != 0) give_up(path);
    if (fd != as && (dup2(fd, as) < 0 || close(fd) != 0)) give_up(path);
}

// The kernel must leave the tray alone: what it says of memory is looked at, so that a change of its start is noticed.
static void check_memory(void) {
    char line[256];
    FILE *map_of_memory = fopen("/proc/iomem", "r");
    if (!map_of_memory) give_up("/proc/iomem");
    while (fgets(line, sizeof line, map_of_memory)) {
        unsigned long long first, last;
        if (!strstr(line, "System RAM") || sscanf(line, "%llx-%llx", &first, &last) != 2) continue;
        if (first < TRAY_BASE + TRAY_BYTES && last >= TRAY_BASE) {
            errno = EFAULT;
            give_up("the kernel uses the tray's memory");
        }
    }
    fclose(map_of_memory);
}

static void set_up(void) {
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
    int memory = open("/dev/mem", O_RDWR | O_SYNC);
    if (memory < 0) give_up("/dev/mem");
    finisher = map(memory, FINISHER_BASE, FINISHER_BYTES, PROT_READ | PROT_WRITE);
    close(memory);
    klogctl(8, NULL, 4); // from now on errors alone go to the console: it is the program's stderr, too
    close(STDIN_FILENO);
    open("/dev/null", O_RDONLY); // the lowest free number: standard input
    open_port("/dev/ttyS0", STDOUT_FILENO);
    open_port("/dev/ttyS1", STDERR_FILENO);
    check_memory();
}

static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

static void write_file(char *path, const uint8_t *data, size_t bytes, mode_t mode) {
    make_folders(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    if (fd < 0) give_up(path);
    while (bytes > 0) {
        ssize_t n = write(fd, data, bytes);
        if (n <= 0) give_up(path);
        data += n;
        bytes -= (size_t)n;
    }
    close(fd);
}

static void take_input(const uint8_t *data, size_t bytes) {
    static char path[] = "/tmp/.stdin";
    write_file(path, data, bytes, 0600);
    int fd = open(path, O_RDONLY);
    if (fd < 0 || dup2(fd, STDIN_FILENO) < 0) give_up(path);
    close(fd);
    unlink(path);
}

static void take(struct job *job, const struct tray_record *record, const uint8_t *text) {
    char *name = strdup((const char *)text);
    const uint8_t *data = text + record->name_bytes;
    switch (record->kind) {
    case TRAY_PROGRAM:
        job->program = name;
        write_file(name, data, record->data_bytes, 0755);
        break;
    case TRAY_FILE: write_file(name, data, record->data_bytes, 0755); break;
    case TRAY_INPUT: take_input(data, record->data_bytes); break;
    case TRAY_ARGUMENT:
        if (job->argc < MOST) job->argv[job->argc++] = name;
        break;
    case TRAY_VARIABLE:
        if (job->envc < MOST) job->envp[job->envc++] = name;
        break;
    default: break;
    }
}

static bool take_all(struct job *job) {
    int memory = open("/dev/mem", O_RDONLY | O_SYNC);
    const uint8_t *at = map(memory, TRAY_BASE, TRAY_BYTES, PROT_READ);
    struct tray tray;
    memcpy(&tray, at, sizeof tray);
    if (tray.magic != TRAY_MAGIC) return false;
    const uint8_t *next = at + sizeof tray;
    for (uint64_t i = 0; i < tray.records; i++) {
        struct tray_record record;
        memcpy(&record, next, sizeof record);
        take(job, &record, next + sizeof record);
        next += (sizeof record + record.name_bytes + record.data_bytes + 7) & ~UINT64_C(7);
    }
    munmap((void *)at, TRAY_BYTES);
    close(memory);
    return true;
}

static unsigned run(struct job *job) {
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) {
        setsid();
        MARKER(2);
        execve(job->program, job->argv, job->envp);
        int reason = errno;
        fprintf(stderr, "init: %s: %s\n", job->program, strerror(reason));
        _exit(reason == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
    }
    int status;
    while (waitpid(child, &status, 0) != child) {}
    return WIFSIGNALED(status) ? 128 + (unsigned)WTERMSIG(status) : (unsigned)WEXITSTATUS(status);
}

int main(void) {
    static struct job job;
    _Static_assert(TRAY_MARKER_READY == 1 && TRAY_MARKER_START == 2, "the numbers below");
    set_up();
    MARKER(1);
    if (!take_all(&job)) {
        puts("tipoff: Linux is up; the tray is empty, so that there is nothing to run");
        end(0);
    }
    end(run(&job));
}
