// A guest program for tests/linux/test_forks.py: processes that fork in several ways, each then divides in a
// function of its own.
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DIVISIONS = 500 };

#define NOINLINE __attribute__((noinline, noclone))
#define LEAF(name, x)                                                                                                  \
    NOINLINE static void name(void) {                                                                                  \
        uint64_t value = x;                                                                                            \
        for (int i = 0; i < DIVISIONS; i++)                                                                            \
            __asm__ volatile("divu %0, %1, %0" : "+r"(value) : "r"(UINT64_MAX));                                       \
    }
LEAF(in_child, 3)
LEAF(in_grandchild, 5)
LEAF(in_vfork, 7)
LEAF(in_parent, 9)
LEAF(first_of_two, 11)
LEAF(second_of_two, 13)

static void wait_for(pid_t child) {
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status) exit(1);
}

// The child goes on behind its fork, the parent waits.
NOINLINE static void fork_and(void (*then)(void)) {
    const pid_t child = fork();
    if (child == 0) {
        then();
        _exit(0);
    }
    wait_for(child);
    __asm__ volatile(""); // no tail call
}

NOINLINE static void nested(void) {
    in_child();
    fork_and(in_grandchild);
    __asm__ volatile("");
}

NOINLINE static void with_vfork(void) {
    const pid_t child = vfork();
    if (child == 0) {
        in_vfork();
        _exit(0);
    }
    wait_for(child);
    in_parent();
    __asm__ volatile("");
}

// Both may have called fork by the time that a child runs: from two functions, with one stack pointer.
NOINLINE static pid_t fork_only(void (*then)(void)) {
    const pid_t child = fork();
    if (child == 0) {
        then();
        _exit(0);
    }
    return child;
}

NOINLINE static pid_t first(void) {
    const pid_t child = fork_only(first_of_two);
    __asm__ volatile("");
    return child;
}

NOINLINE static pid_t second(void) {
    const pid_t child = fork_only(second_of_two);
    __asm__ volatile("");
    return child;
}

static void two(void) {
    const pid_t one = first(), other = second();
    wait_for(one);
    wait_for(other);
}

int main(void) {
    fork_and(nested);
    with_vfork();
    two();
    return 7;
}
