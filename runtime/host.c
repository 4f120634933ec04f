// What picolibc asks of a system: the console, files of the host, the end. All of it by HTIF (csrc/machine/htif.h).
#include "harts.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio-bufio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CALL_OPENAT = 56, CALL_CLOSE = 57, CALL_LSEEK = 62, CALL_READ = 63, CALL_WRITE = 64, CALL_GETMAINVARS = 2011 };
enum { AT_CWD = -100, TRAPPED = 125, OVERFLOWED = 126 };

// Together in a line of the cache that nothing else is in.
__attribute__((aligned(64), section(".tohost"))) volatile uint64_t tohost;
__attribute__((aligned(64), section(".tohost"))) volatile uint64_t fromhost;

static long call(long number, long a, long b, long c, long d) {
    static volatile uint64_t words[8] __attribute__((aligned(64)));
    harts_lock();
    words[0] = (uint64_t)number;
    words[1] = (uint64_t)a;
    words[2] = (uint64_t)b;
    words[3] = (uint64_t)c;
    words[4] = (uint64_t)d;
    __asm__ volatile("fence" ::: "memory");
    tohost = (uint64_t)(uintptr_t)words;
    while (!fromhost)
        ;
    fromhost = 0;
    __asm__ volatile("fence" ::: "memory"); // before what the host has written is looked at
    const long answer = (long)words[0];
    harts_unlock();
    return answer;
}

static long result(long value) {
    if (value >= 0) return value;
    errno = (int)-value;
    return -1;
}

// picolibc's flags are not Linux's, but for how it is opened.
int open(const char *path, int flags, ...) {
    const long writes = flags & (O_CREAT | O_TRUNC | O_APPEND) ? 1 : flags & O_ACCMODE;
    return (int)result(call(CALL_OPENAT, AT_CWD, (long)path, (long)strlen(path) + 1, writes));
}
int close(int file) {
    return (int)result(call(CALL_CLOSE, file, 0, 0, 0));
}
off_t lseek(int file, off_t offset, int whence) {
    return result(call(CALL_LSEEK, file, offset, whence, 0));
}
ssize_t read(int file, void *bytes, size_t most) {
    return result(call(CALL_READ, file, (long)bytes, (long)most, 0));
}
ssize_t write(int file, const void *bytes, size_t count) {
    return result(call(CALL_WRITE, file, (long)bytes, (long)count, 0));
}
int isatty(int file) {
    return file < 3;
}
int fstat(int file, struct stat *status) {
    off_t at = file < 3 ? 0 : lseek(file, 0, SEEK_CUR);
    memset(status, 0, sizeof *status);
    if (at < 0) return -1;
    status->st_mode = file < 3 ? S_IFCHR : S_IFREG;
    status->st_size = file < 3 ? 0 : lseek(file, 0, SEEK_END);
    return file < 3 || lseek(file, at, SEEK_SET) >= 0 ? 0 : -1;
}

pid_t getpid(void) {
    return 1;
}
int kill(pid_t process, int signal) { // by abort, and raise
    (void)process;
    fflush(stdout);
    _exit(128 + signal);
}

__attribute__((noreturn)) void _exit(int status) {
    harts_lock_at_end();
    __asm__ volatile("fence" ::: "memory");
    for (;;)
        tohost = (uint64_t)(unsigned)status << 1 | 1;
}

uint64_t *host_arguments(void) {
    static uint64_t words[128];
    static const char fault[] = "the program cannot start: its arguments do not fit into 1024 bytes\n";
    if (call(CALL_GETMAINVARS, (long)words, sizeof words, 0, 0) < 0) {
        write(2, fault, sizeof fault - 1);
        _exit(OVERFLOWED);
    }
    return words;
}

// ---- the streams of the console ----
static char out_bytes[256], in_bytes[256], err_byte[1];
static struct __file_bufio out_file =
    FDEV_SETUP_BUFIO(1, out_bytes, sizeof out_bytes, read, write, lseek, close, __SWR, __BLBF);
static struct __file_bufio err_file = FDEV_SETUP_BUFIO(2, err_byte, 1, read, write, lseek, close, __SWR, 0);
static struct __file_bufio in_file =
    FDEV_SETUP_BUFIO(0, in_bytes, sizeof in_bytes, read, write, lseek, close, __SRD, 0);
FILE *const stdout = &out_file.xfile.cfile.file;
FILE *const stderr = &err_file.xfile.cfile.file;
FILE *const stdin = &in_file.xfile.cfile.file;

__attribute__((destructor)) static void flush(void) {
    fflush(stdout);
}

// ---- traps ----
static char *put_hex(char *at, uint64_t value) {
    *at++ = '0';
    *at++ = 'x';
    for (int shift = 60; shift >= 0; shift -= 4)
        *at++ = "0123456789abcdef"[value >> shift & 15];
    return at;
}

static char *put(char *at, const char *text) {
    return stpcpy(at, text);
}

extern char __stack_bottom[];

// A function moves sp before it stores; with -fstack-check it first stores into each page of its frame. A hart that
// cannot store into a guard has met its own.
#ifdef __TIPOFF_HARTS
extern char __stack_guard[], __stack_guard_bytes[], __hart_stack_stride[];

// The guards are the first bytes of each stack, of other harts and of main, which comes last and may be longer.
static int in_guard(uint64_t address) {
    const uint64_t from = address - (uint64_t)(uintptr_t)__stack_bottom;
    const uint64_t mains = (uint64_t)(uintptr_t)__stack_guard - (uint64_t)(uintptr_t)__stack_bottom;
    const uint64_t in = from < mains ? from % (uint64_t)(uintptr_t)__hart_stack_stride : from - mains;
    return in < (uint64_t)(uintptr_t)__stack_guard_bytes;
}
static int overflows(uint64_t sp, uint64_t cause, uint64_t value) {
    enum { STORE_FAULT = 7 };
    return in_guard(sp) || (cause == STORE_FAULT && in_guard(value));
}
#else
static int overflows(uint64_t sp, uint64_t cause, uint64_t value) {
    (void)cause;
    (void)value;
    return sp < (uint64_t)(uintptr_t)__stack_bottom;
}
#endif

__attribute__((noreturn)) void host_trap(uint64_t cause, uint64_t pc, uint64_t value, uint64_t sp) {
    static char text[256];
    const int overflow = overflows(sp, cause, value);
    char *at = put(text, overflow ? "stack overflow: " : "trap: ");
    at = put_hex(put(at, "cause "), cause);
    at = put_hex(put(at, ", pc "), pc);
    at = put_hex(put(at, ", tval "), value);
    at = put(at, "\n");
    harts_lock_at_end();
    fflush(stdout);
    write(2, text, (size_t)(at - text));
    _exit(overflow ? OVERFLOWED : TRAPPED);
}
