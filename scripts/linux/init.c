// First process of the guest: takes a program from the tray (tray.h), runs it, and powers the machine off with its exit
// status. Statically linked; the kernel holds it in its initramfs.
//
//   tray -> files in /, arguments, environment -> fork, exec -> wait -> status to the test finisher
#include "tray.h"
#include "memory_map.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { FAIL = 0x3333, NOT_FOUND = 127, NOT_EXECUTABLE = 126 };
#define STRINGIFY(x) #x
#define MARKER(number) __asm__ volatile("slti x0, x0, " STRINGIFY(number) ::: "memory")

struct list { // of strings, NULL at the end, for execve: that one refuses what does not fit
    char **at;
    size_t count, room;
};
struct job {
    const char *program;
    struct list arguments, variables;
};

static volatile uint32_t *finisher;
static volatile uint64_t *finisher_note; // what the host learns about the end: csrc/machine/peripherals.h

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

static void add(struct list *list, char *text) {
    if (list->count + 2 > list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->at = realloc(list->at, list->room * sizeof *list->at);
        if (!list->at) give_up("arguments and environment");
    }
    list->at[list->count++] = text;
    list->at[list->count] = NULL;
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

// Nothing on this machine is random, and the clock ticks too seldom for the kernel's jitter entropy: without a seed
// getrandom waits forever. It is always the same one, so that runs are.
static void seed_random_numbers(void) {
    struct {
        struct rand_pool_info info;
        unsigned char seed[32];
    } pool = {{.entropy_count = 8 * sizeof pool.seed, .buf_size = sizeof pool.seed}, "tipoff: the same for each run..."};
    _Static_assert(offsetof(struct rand_pool_info, buf) == sizeof(struct rand_pool_info), "the seed is buf");
    int random = open("/dev/random", O_RDWR);
    if (random < 0 || ioctl(random, RNDADDENTROPY, &pool) != 0) give_up("/dev/random");
    close(random);
}

static void write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) give_up(path);
    close(fd);
}

static void set_up(void) {
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
    int memory = open("/dev/mem", O_RDWR | O_SYNC);
    if (memory < 0) give_up("/dev/mem");
    finisher = map(memory, FINISHER_BASE, FINISHER_BYTES, PROT_READ | PROT_WRITE);
    finisher_note = (volatile uint64_t *)finisher + 1;
    close(memory);
    klogctl(8, NULL, 4); // from now on errors alone go to the console: it is the program's stderr, too
    close(STDIN_FILENO);
    open("/dev/null", O_RDONLY); // the lowest free number: standard input
    open_port("/dev/ttyS0", STDOUT_FILENO);
    open_port("/dev/ttyS1", STDERR_FILENO);
    // The kernel's log has the registers of what a signal kills.
    write_text("/proc/sys/kernel/print-fatal-signals", "1");
    check_memory();
    seed_random_numbers();
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
    case TRAY_ARGUMENT: add(&job->arguments, name); break;
    case TRAY_VARIABLE: add(&job->variables, name); break;
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

// ---- a program that a signal has killed ----
struct fault { // as the kernel's log has it; 0: not said
    unsigned long long pc, address, base;
    char file[64]; // that is mapped there, at base
};

// The last registers that the kernel has printed.
static bool find_fault(struct fault *fault) {
    enum { MOST = 1 << 17 }; // the whole log
    static char log[MOST + 1];
    int bytes = klogctl(3, log, MOST);
    bool found = false;
    for (char *line = bytes > 0 ? strtok(log, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        const char *at;
        if ((at = strstr(line, "unhandled signal")) != NULL) {
            *fault = (struct fault){0};
            const char *where = strstr(at, " in ");
            if (where) sscanf(where, " in %63[^[][%llx+", fault->file, &fault->base);
            sscanf(at, "unhandled signal %*d code %*x at %llx", &fault->address);
        }
        if ((at = strstr(line, "epc : ")) != NULL) found = sscanf(at, "epc : %llx", &fault->pc) == 1;
    }
    return found;
}

// The function of the program's file that has this address of the file; false: no table has it.
static bool find_function(const char *path, uint64_t address, const char **name, uint64_t *offset) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0 || (size_t)status.st_size < sizeof(Elf64_Ehdr)) return false;
    const uint64_t size = (uint64_t)status.st_size;
    const uint8_t *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) return false;
    const Elf64_Ehdr *head = (const void *)at;
    if (head->e_shoff > size || head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr)) return false;
    const Elf64_Shdr *sections = (const void *)(at + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i], *text = s->sh_link < head->e_shnum ? &sections[s->sh_link] : NULL;
        if (s->sh_type != SHT_SYMTAB || !text || s->sh_offset > size || s->sh_size > size - s->sh_offset) continue;
        if (text->sh_offset > size || text->sh_size > size - text->sh_offset || !text->sh_size || at[text->sh_offset + text->sh_size - 1]) continue;
        const Elf64_Sym *symbols = (const void *)(at + s->sh_offset);
        for (uint64_t n = 0; n < s->sh_size / sizeof *symbols; n++) {
            if (ELF64_ST_TYPE(symbols[n].st_info) != STT_FUNC || symbols[n].st_name >= text->sh_size) continue;
            if (address < symbols[n].st_value || address - symbols[n].st_value >= symbols[n].st_size) continue;
            *name = (const char *)at + text->sh_offset + symbols[n].st_name;
            *offset = address - symbols[n].st_value;
            return true;
        }
    }
    return false;
}

static void say_signal(const struct job *job, int number) {
    struct fault fault = {0};
    const char *own = strrchr(job->program, '/') + 1, *function;
    uint64_t offset;
    fprintf(stderr, "init: %s: killed by signal %d (%s)", job->program, number, strsignal(number));
    if (find_fault(&fault)) {
        fprintf(stderr, " at 0x%llx", fault.pc);
        const bool other = fault.file[0] && strcmp(fault.file, own) != 0;
        unsigned long long address = fault.pc; // of the file: a program that is not linked to its addresses lies at its base
        bool named = !other && find_function(job->program, address, &function, &offset);
        if (!other && !named) named = find_function(job->program, address = fault.pc - fault.base, &function, &offset);
        if (other) fprintf(stderr, ", 0x%llx in %s", fault.pc - fault.base, fault.file);
        if (named) fprintf(stderr, ", %s+0x%llx", function, (unsigned long long)offset);
        if (number == SIGSEGV || number == SIGBUS) fprintf(stderr, ", by an access to 0x%llx", fault.address);
        if (named) *finisher_note = address; // the host knows its line
    }
    fputc('\n', stderr);
}

static unsigned run(struct job *job) {
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) {
        setsid();
        MARKER(2);
        execve(job->program, job->arguments.at, job->variables.at);
        int reason = errno;
        fprintf(stderr, "init: %s: %s\n", job->program, strerror(reason));
        _exit(reason == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
    }
    int status;
    while (waitpid(child, &status, 0) != child) {}
    if (!WIFSIGNALED(status)) return (unsigned)WEXITSTATUS(status);
    say_signal(job, WTERMSIG(status));
    return 128 + (unsigned)WTERMSIG(status);
}

int main(void) {
    static struct job job;
    _Static_assert(TRAY_MARKER_READY == 1 && TRAY_MARKER_START == 2, "the numbers below");
    set_up();
    MARKER(1);
    if (!take_all(&job)) {
        puts("tipoff: Linux is up; the tray is empty: nothing to run");
        end(0);
    }
    end(run(&job));
}
