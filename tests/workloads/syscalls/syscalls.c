// System calls: two user-mode tasks, a producer and a consumer, talk through a pipe that the kernel keeps. A task that
// finds the pipe full (or empty) is put aside and the other one goes on where it stopped.
// Checked: the consumer's digest of what arrived against one computed without any call, and the kernel's counts.
#include "runtime.h"

#define MESSAGES SIZED(230u, 2500u, 25000u)
enum { SYS_SEND = SYS_WORKLOAD, SYS_RECEIVE, SYS_COUNT };
enum { PIPE_WORDS = 8, STACK_WORDS = 512 };
enum { TASK_CONSUMER, TASK_PRODUCER, TASKS };

// ---- kernel ----
static struct trap_frame task[TASKS]; // of the tasks that do not run
static int current;
static uint64_t pipe_word[PIPE_WORDS], sent, received, switches;
static uint64_t producer_stack[STACK_WORDS] __attribute__((aligned(16)));

// The call is repeated when the task runs again.
static void put_aside(struct trap_frame *frame) {
    frame->pc -= 4;
    task[current] = *frame;
    current = (current + 1) % TASKS;
    *frame = task[current];
    switches++;
}

uint64_t workload_syscall(uint64_t number, struct trap_frame *frame) {
    switch (number) {
    case SYS_SEND:
        if (sent - received == PIPE_WORDS) {
            put_aside(frame);
            return frame->x[10];
        }
        pipe_word[sent++ % PIPE_WORDS] = frame->x[10];
        return 0;
    case SYS_RECEIVE:
        if (sent == received) {
            put_aside(frame);
            return frame->x[10];
        }
        return pipe_word[received++ % PIPE_WORDS];
    case SYS_COUNT: return received;
    default: runtime_exit(124);
    }
}

// ---- user ----
static uint64_t message(uint64_t n) {
    return n * n * 0x9e3779b9u + n;
}
static uint64_t mix(uint64_t digest, uint64_t value) {
    return (digest ^ value) * 0x100000001b3u;
}

// Sends more than is received, so that it ends waiting on a full pipe.
static int producer(void) {
    for (uint64_t n = 0;; n++)
        syscall3(SYS_SEND, message(n), 0, 0);
    return 0;
}

static int consumer(void) {
    uint64_t got = 0, wanted = 0;
    bool ok = true;
    for (uint64_t n = 0; n < MESSAGES; n++) {
        got = mix(got, syscall3(SYS_RECEIVE, 0, 0, 0));
        ok &= syscall3(SYS_COUNT, 0, 0, 0) == n + 1;
    }
    for (uint64_t n = 0; n < MESSAGES; n++)
        wanted = mix(wanted, message(n));
    return workload_result(got, ok && got == wanted && switches >= MESSAGES / PIPE_WORDS);
}

int main(void) {
    uint64_t gp;
    __asm__("mv %0, gp" : "=r"(gp));
    task[TASK_PRODUCER].pc = (uint64_t)producer;
    task[TASK_PRODUCER].x[2] = (uint64_t)(producer_stack + STACK_WORDS);
    task[TASK_PRODUCER].x[3] = gp;
    user_enter(consumer);
}
