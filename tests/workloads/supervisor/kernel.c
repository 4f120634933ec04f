// The supervisor: starts the processes, serves page faults and system calls, changes from one process to the next.
#include "kernel.h"
#ifdef SAMPLED
#include "sampling.h"
#endif

extern uint8_t __user_image[];
extern volatile uint64_t tohost;

// UART by the kernel's window on the first GiB of physical addresses (paging.c).
#define UART ((volatile uint8_t *)0xd0000000)
enum { UART_DATA = 0, UART_STATUS = 5, STATUS_CAN_SEND = 0x20 };
enum { CAUSE_ECALL_U = 8, CAUSE_FETCH_PAGE = 12, CAUSE_LOAD_PAGE = 13, CAUSE_STORE_PAGE = 15, STATUS_TRAP = 125 };

static struct process process[PROCESSES_MOST];
static uint64_t processes, current, mailbox;
static int status;

void console_putc(char c) {
    while (!(UART[UART_STATUS] & STATUS_CAN_SEND))
        ;
    UART[UART_DATA] = (uint8_t)c;
}

_Noreturn void runtime_exit(int result) {
#ifdef SAMPLED
    sampling_stop();
#endif
    tohost = (uint64_t)(unsigned)result << 1 | 1;
    for (;;)
        __asm__ volatile("wfi");
}

_Noreturn void kernel_die(const char *what, uint64_t a, uint64_t b, uint64_t pc) {
    console_printf("%s 0x%lx (0x%lx) at 0x%lx\n", what, a, b, pc);
    runtime_exit(STATUS_TRAP);
}

_Noreturn void kernel_fault(uint64_t cause, uint64_t value, uint64_t pc) {
    kernel_die("trap in the kernel", cause, value, pc);
}

static void load_fp(const struct process *p) {
    fp_restore(p->fp);
    csr_clear(sstatus, SSTATUS_FS);
    csr_set(sstatus, SSTATUS_FS_CLEAN);
}

// The next process that is alive, with its address space and its floating-point registers.
static void change_process(void) {
    const uint64_t last = current;
    do
        current = (current + 1) % processes;
    while (!process[current].alive);
    if (current == last) return;
    counts[COUNT_SWITCHES]++;
    if ((csr_read(sstatus) & SSTATUS_FS) == SSTATUS_FS) fp_save(process[last].fp);
    load_fp(&process[current]);
    paging_switch(&process[current]);
}

static void exit_process(int result) {
    status |= result;
    process[current].alive = false;
    bool any = false;
    for (uint64_t i = 0; i < processes; i++)
        any |= process[i].alive;
    if (!any) runtime_exit(status);
    change_process();
}

// A character of the user's memory: its page is made present, then read with the user's own translation.
static char user_character(uint64_t address) {
    if (!paging_admit(&process[current], address, ACCESS_LOAD)) kernel_die("bad buffer", address, 0, 0);
    csr_set(sstatus, SSTATUS_SUM);
    char c = *(const volatile char *)address;
    csr_clear(sstatus, SSTATUS_SUM);
    return c;
}

static void system_call(struct trap_frame *frame) {
    const uint64_t a = frame->x[10], b = frame->x[11];
    frame->pc += 4;
    switch (frame->x[17]) {
    case SYS_EXIT: exit_process((int)a); return;
    case SYS_WRITE:
        for (uint64_t i = 0; i < b; i++)
            console_putc(user_character(a + i));
        frame->x[10] = b;
        return;
    case SYS_YIELD:
        mailbox = a;
        change_process();
        return;
    case SYS_MAIL: frame->x[10] = mailbox; return;
    case SYS_COUNT: frame->x[10] = a < COUNTS ? counts[a] : 0; return;
    default: kernel_die("unknown system call", frame->x[17], 0, frame->pc - 4);
    }
}

static void page_fault(const struct trap_frame *frame, enum access access, uint64_t address) {
    counts[COUNT_FAULTS]++;
    if (!paging_admit(&process[current], address, access)) kernel_die("bad access", access, address, frame->pc);
}

struct trap_frame *kernel_trap(struct trap_frame *frame, uint64_t cause, uint64_t value) {
    switch (cause) {
    case CAUSE_ECALL_U: system_call(frame); break;
    case CAUSE_FETCH_PAGE: page_fault(frame, ACCESS_FETCH, value); break;
    case CAUSE_LOAD_PAGE: page_fault(frame, ACCESS_LOAD, value); break;
    case CAUSE_STORE_PAGE: page_fault(frame, ACCESS_STORE, value); break;
    default: kernel_die("unexpected trap", cause, value, frame->pc);
    }
    return &process[current].frame;
}

struct trap_frame *kernel_main(void) {
    const struct program *program = (const struct program *)__user_image;
    paging_start(program->frames);
    processes = program->processes;
    if (processes > PROCESSES_MOST) kernel_die("too many processes", processes, PROCESSES_MOST, 0);
    for (uint64_t i = 0; i < processes; i++) {
        struct process *p = &process[i];
        p->alive = true;
        p->frame.pc = (uint64_t)program->entry;
        p->frame.x[2] = USER_STACK_TOP;
        p->frame.x[10] = i;
        paging_create(p);
    }
    load_fp(&process[0]);
    csr_clear(sstatus, SSTATUS_SPP);
    paging_switch(&process[0]);
    return &process[0].frame;
}
