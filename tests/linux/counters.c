// A guest program for tests of the kernel's perf events: counts itself, or samples itself, and prints what it got.
//
//   counters count                     cycles, instructions, branches (a raw event) of a loop in user mode
//   counters sample|tip PERIOD ROUNDS  samples of the work: address, period, weight, mode; tip: by the counter that
//   samples counters both PERIOD ROUNDS        likewise by that counter, of system calls, in the kernel and out of it
//   counters work|busy|calls ROUNDS    only the work, or one without waits for memory, or system calls, for perf to
//   measure
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    RAW_CYCLES_SAMPLED = 0x101,
    RAW_BRANCHES = 0xa,
    LOOP = 10000,
    ROUNDS = 500,
    NODES = 4096,
    PAGE = 4096,
    RING_PAGES = 64
};

static struct node {
    struct node *next;
    uint64_t pad[7];
} nodes[NODES];

static void link_nodes(void) {
    unsigned at = 0;
    for (unsigned i = 0; i < NODES; i++) { // a full period: 5 is 1 modulo 4
        unsigned to = (at * 5 + 1753) % NODES;
        nodes[at].next = &nodes[to];
        at = to;
    }
}

// What takes time by turns: a division, a chain of loads that miss, branches that nobody can foretell, plain
// arithmetic.
__attribute__((noinline)) static uint64_t work(unsigned rounds) {
    const struct node *at = nodes;
    uint64_t x = 88172645463325252, sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += UINT64_MAX / (x | 1);
        at = at->next;
        sum += at->pad[x & 3];
        if (x & 1) __asm__ volatile("xor %0, %0, %1" : "+r"(sum) : "r"(i));
        if (x & 2) __asm__ volatile("add %0, %0, %1" : "+r"(sum) : "r"(i));
        for (unsigned k = 0; k < 8; k++)
            __asm__ volatile("add %0, %0, %1\n xor %0, %0, %2" : "+r"(sum) : "r"(x), "r"(i));
    }
    return sum + (uint64_t)(at - nodes);
}

// Branches that nobody can foretell and arithmetic of several chains: no instruction has a long wait of its own.
__attribute__((noinline)) static uint64_t busy(unsigned rounds) {
    uint64_t x = 88172645463325252, sum = 0, other = 1;
    for (unsigned i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        if (x & 1) __asm__ volatile("xor %0, %0, %1" : "+r"(sum) : "r"(i));
        other = other * 3 + i;
        if (x & 2) __asm__ volatile("add %0, %0, %1" : "+r"(sum) : "r"(x));
        other ^= sum >> 3;
        if (x & 4) __asm__ volatile("sub %0, %0, %1" : "+r"(sum) : "r"(other));
    }
    return sum + other;
}

// System calls of several kinds, for profiles of the kernel: short ones, bytes through a pipe, pages that come and go.
__attribute__((noinline)) static uint64_t calls(unsigned rounds) {
    int ends[2];
    uint64_t sum = 0;
    static char bytes[512];
    if (pipe(ends) != 0) return 0;
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned k = 0; k < 8; k++)
            sum += (uint64_t)getppid();
        sum += (uint64_t)write(ends[1], bytes, sizeof bytes);
        sum += (uint64_t)read(ends[0], bytes, sizeof bytes);
        char *pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) return 0;
        for (unsigned k = 0; k < 4; k++)
            pages[k * PAGE] = (char)i;
        munmap(pages, 4 * PAGE);
    }
    return sum;
}

static int event(uint32_t type, uint64_t config, uint64_t period, bool kernel) {
    struct perf_event_attr a = {
        .type = type, .size = sizeof a, .config = config, .disabled = 1, .exclude_kernel = !kernel, .exclude_hv = 1};
    a.sample_period = period;
    a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT;
    long fd = syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
    if (fd < 0) {
        perror("perf_event_open");
        exit(1);
    }
    return (int)fd;
}

static int count(void) {
    int fds[] = {event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, false),
                 event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, false),
                 event(PERF_TYPE_RAW, RAW_BRANCHES, 0, false)};
    static const char *const names[] = {"cycles", "instructions", "branches"};
    for (int i = 0; i < 3; i++)
        ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
    unsigned rounds = LOOP;
    __asm__ volatile("1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(rounds));
    for (int i = 0; i < 3; i++)
        ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
    for (int i = 0; i < 3; i++) {
        uint64_t value = 0;
        if (read(fds[i], &value, sizeof value) != sizeof value) return 1;
        printf("%s %llu\n", names[i], (unsigned long long)value);
    }
    return 0;
}

static int sample(int fd, uint64_t (*measured)(unsigned), unsigned rounds) {
    size_t bytes = (1 + RING_PAGES) * PAGE;
    struct perf_event_mmap_page *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (ring == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    measured(rounds);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    const char *data = (const char *)ring + PAGE;
    for (uint64_t at = 0; at < ring->data_head;) { // of 8 bytes each, all that a record has; the ring never wraps
        struct {
            struct perf_event_header header;
            uint64_t ip, period, weight;
        } record;
        memcpy(&record, data + at, sizeof record);
        if (record.header.type == PERF_RECORD_SAMPLE) {
            printf("%llx %llu %llx %u\n", (unsigned long long)record.ip, (unsigned long long)record.period,
                   (unsigned long long)record.weight, record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK);
        } else {
            printf("record %u\n", record.header.type);
        }
        at += record.header.size;
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    uint64_t number = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    unsigned rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0;
    link_nodes();
    if (strcmp(what, "count") == 0) return count();
    if (strcmp(what, "sample") == 0)
        return sample(event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, number, false), work, rounds);
    if (strcmp(what, "tip") == 0) return sample(event(PERF_TYPE_RAW, RAW_CYCLES_SAMPLED, number, false), work, rounds);
    if (strcmp(what, "both") == 0) return sample(event(PERF_TYPE_RAW, RAW_CYCLES_SAMPLED, number, true), calls, rounds);
    if (strcmp(what, "work") == 0 || strcmp(what, "busy") == 0 || strcmp(what, "calls") == 0) {
        __asm__ volatile("slti x0, x0, 5" ::: "memory"); // a marker, for checkpoints: what goes before is perf's
        if (what[0] == 'c') return calls((unsigned)number) == 0;
        return (what[0] == 'w' ? work : busy)((unsigned)number) == 0;
    }
    fprintf(stderr, "usage: counters count|sample|tip|both PERIOD ROUNDS|work ROUNDS|busy ROUNDS|calls ROUNDS\n");
    return 2;
}
