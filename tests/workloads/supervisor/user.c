// User side of the supervisor: start of a program, its way out, and the console by system calls.
#include "supervisor.h"

int main(int process);
_Noreturn void user_begin(int process);

static char line[80];
static uint64_t length;

void console_putc(char c) {
    line[length++] = c;
    if (c != '\n' && length < sizeof line) return;
    syscall3(SYS_WRITE, (uint64_t)line, length, 0);
    length = 0;
}

_Noreturn void runtime_exit(int status) {
    for (;;)
        syscall3(SYS_EXIT, (uint64_t)status, 0, 0);
}

// The kernel has set sp, and a0 to the number of the process.
_Noreturn void user_begin(int process) {
    runtime_exit(main(process));
}
__asm__(".pushsection .text.start, \"ax\"\n"
        ".globl user_start\n"
        ".type user_start, @function\n"
        "user_start: tail user_begin\n"
        ".size user_start, . - user_start\n"
        ".popsection\n");
