// Traps of a workload: system calls, and the end of the run for everything that was not expected.
#include "runtime.h"
#ifdef SAMPLED
#include "sampling.h"
#endif

extern volatile uint64_t tohost;
void trap_handle(struct trap_frame *frame, uint64_t cause, uint64_t value);

extern char __stack_bottom[]; // nothing lies below it (link.ld)

enum { CAUSE_LOAD_FAULT = 5, CAUSE_STORE_FAULT = 7, CAUSE_ECALL_U, CAUSE_ECALL_M = 11, STATUS_TRAP = 125 };
enum { STACK_BEYOND = 64 << 20 }; // how far below its bottom an access is taken for an overflow

_Noreturn void runtime_exit(int status) {
#ifdef SAMPLED
    sampling_stop();
#endif
    tohost = (uint64_t)(unsigned)status << 1 | 1;
    for (;;)
        __asm__ volatile("wfi");
}

static _Noreturn void die(const char *what, uint64_t a, uint64_t b, uint64_t pc) {
    console_printf("%s 0x%lx (0x%lx) at 0x%lx\n", what, a, b, pc);
    runtime_exit(STATUS_TRAP);
}

__attribute__((weak)) uint64_t workload_syscall(uint64_t number, struct trap_frame *frame) {
    die("unknown system call", number, 0, frame->pc);
}

__attribute__((weak)) bool workload_trap(struct trap_frame *frame, uint64_t cause, uint64_t value) {
    (void)frame, (void)cause, (void)value;
    return false;
}

static uint64_t system_call(struct trap_frame *frame) {
    const uint64_t *a = &frame->x[10];
    switch (frame->x[17]) {
    case SYS_EXIT: runtime_exit((int)a[0]);
    case SYS_WRITE:
        for (uint64_t i = 0; i < a[1]; i++)
            console_putc(((const char *)a[0])[i]);
        return a[1];
    default: return workload_syscall(frame->x[17], frame);
    }
}

void trap_handle(struct trap_frame *frame, uint64_t cause, uint64_t value) {
    if (cause == CAUSE_ECALL_U || cause == CAUSE_ECALL_M) {
        frame->pc += 4;
        frame->x[10] = system_call(frame);
    } else if (!workload_trap(frame, cause, value)) {
        bool access = cause == CAUSE_LOAD_FAULT || cause == CAUSE_STORE_FAULT;
        bool overflow = access && (uint64_t)__stack_bottom - 1 - value < STACK_BEYOND;
        die(overflow ? "stack overflow: trap" : "unexpected trap", cause, value, frame->pc);
    }
}
