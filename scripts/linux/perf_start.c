// What perf record starts in the guest: says to the host where the program begins, and becomes the program.
//
//   perf record ... /perf-start PROGRAM ARG...
//
// Standard output belongs to perf, which writes its samples there: the program's goes to standard error. No C library,
// so that next to nothing of it is in the samples.
#define STRINGIFY(x) #x
#define MARKER(number) __asm__ volatile("slti x0, x0, " STRINGIFY(number) ::: "memory")
enum { SYS_DUP3 = 24, SYS_WRITE = 64, SYS_EXIT = 93, SYS_EXECVE = 221, NOT_EXECUTABLE = 126 };

static long call(long number, long a, long b, long c) {
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

// sp: where the kernel has left the arguments: their number, they, 0, the environment.
__attribute__((used)) static void begin(long *sp) {
    static const char message[] = "perf-start: the program cannot be executed\n";
    char **arguments = (char **)(sp + 1), **environment = arguments + *sp + 1;
    call(SYS_DUP3, 2, 1, 0);
    MARKER(6); // python/linux_perf: AT
    if (*sp > 1) call(SYS_EXECVE, (long)arguments[1], (long)(arguments + 1), (long)environment);
    call(SYS_WRITE, 2, (long)message, sizeof message - 1);
    call(SYS_EXIT, NOT_EXECUTABLE, 0, 0);
}

__asm__(".globl _start\n_start: mv a0, sp\n tail begin\n");
