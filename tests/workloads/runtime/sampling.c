// Sampling by software: the job of perf's interrupt handler. Its functions are those whose names begin with sampling_.
//
// The order of things matters: LCOFIP is cleared first, then samples are read until none is ready. One that becomes
// ready in between sets LCOFIP again, so none is left behind; the other way round it could be.
#include "sampling.h"
#include "csrs.h"
#include "events.h"
#include <stddef.h>

struct sampling_settings sampling_settings = {.period = 9973, .counter = 3, .lanes = 4};
struct sampling_buffer sampling_buffer __attribute__((aligned(64)));

#ifdef SAMPLING_SUPERVISOR
#define PENDING CSR_SIP
#else
#define PENDING CSR_MIP
#endif
// As the assembler files know them.
_Static_assert(offsetof(struct sampling_settings, timer) == 40, "TIMER");
_Static_assert(offsetof(struct sampling_buffer, ticks) == 40, "TICKS");

static uint32_t hart;
uint64_t sampling_inhibit; // the counter's bit in mcountinhibit

#define LCOFI (1ul << 13)

#define csr_get(number)                                                                                                \
    ({                                                                                                                 \
        uint64_t csr_value;                                                                                            \
        __asm__ volatile("csrr %0, %1" : "=r"(csr_value) : "i"(number) : "memory");                                    \
        csr_value;                                                                                                     \
    })
#define csr_put(number, value) __asm__ volatile("csrw %0, %1" : : "i"(number), "r"((uint64_t)(value)) : "memory")
#define csr_drop(number, bits) __asm__ volatile("csrc %0, %1" : : "i"(number), "r"((uint64_t)(bits)) : "memory")

// PERF_RECORD_MISC_USER, _KERNEL, _HYPERVISOR.
static inline unsigned misc(uint64_t data) {
    static const uint8_t of_mode[] = {2, 1, 0, 3};
    return of_mode[SHPMSDATA_MODE(data)];
}

static void sampling_store(struct sampling_buffer *b, uint64_t data) {
    const struct sampling_settings *s = &sampling_settings;
    const uint64_t bytes = offsetof(struct sampling_record, lane_and_psv) + 8 * (s->lanes + s->psv_words);
    if (b->used + bytes > SAMPLING_BUFFER_BYTES) {
        b->overflow++;
        return;
    }
    struct sampling_record *r = (struct sampling_record *)(b->data + b->used);
    const uint64_t repeat = csr_get(CSR_TIPOFF_REPEAT);
    r->type = SAMPLING_RECORD;
    r->misc = (uint16_t)misc(data);
    r->bytes = (uint16_t)bytes;
    r->space = csr_get(CSR_TIPOFF_SPACE);
    r->time = csr_get(CSR_TIPOFF_CYCLE);
    r->cpu = hart;
    r->stalled = (uint32_t)(repeat >> 32);
    r->period = 1 + (repeat & 0xffffffff) + (repeat >> 32);
    r->data = data;
    r->pc = csr_get(CSR_SHPMSPC);
    uint64_t *word = r->lane_and_psv;
    switch (s->lanes) {                          // a register is named by a constant
    case 8: word[7] = csr_get(CSR_TIPOFF_ADDR7); /* fallthrough */
    case 7: word[6] = csr_get(CSR_TIPOFF_ADDR6); /* fallthrough */
    case 6: word[5] = csr_get(CSR_TIPOFF_ADDR5); /* fallthrough */
    case 5: word[4] = csr_get(CSR_TIPOFF_ADDR4); /* fallthrough */
    case 4: word[3] = csr_get(CSR_TIPOFF_ADDR3); /* fallthrough */
    case 3: word[2] = csr_get(CSR_TIPOFF_ADDR2); /* fallthrough */
    case 2: word[1] = csr_get(CSR_TIPOFF_ADDR1); /* fallthrough */
    default: word[0] = csr_get(CSR_TIPOFF_ADDR0);
    }
    if (s->psv_words > 0) word[s->lanes] = csr_get(CSR_TIPOFF_PSV0);
    if (s->psv_words > 1) word[s->lanes + 1] = csr_get(CSR_TIPOFF_PSV1);
    b->used += bytes;
    b->count++;
}

void sampling_take(void) {
    struct sampling_buffer *b = &sampling_buffer;
    csr_drop(PENDING, LCOFI);
    b->calls++;
    for (uint64_t data; data = csr_get(CSR_SHPMSDATA), SHPMSDATA_READY(data);) {
        sampling_store(b, data);
        csr_put(CSR_SHPMSDATA, 0); // acknowledged: shows the next
    }
}

// In M-mode: the counter of cycles, which goes on by itself from overflow to overflow.
void sampling_program(uint64_t inhibited_modes) {
    const struct sampling_settings *s = &sampling_settings;
    const uint64_t event = inhibited_modes | PMU_EVENT_CYCLES;
    hart = (uint32_t)csr_get(CSR_MHARTID);
    sampling_inhibit = 1ul << s->counter;
    csr_put(CSR_TIPOFF_JITTER, s->jitter);
    csr_put(CSR_TIPOFF_PERIOD, s->period);
#define COUNTER(n)                                                                                                     \
    case n:                                                                                                            \
        csr_put(CSR_MHPMCOUNTER3 + (n)-3, -s->period);                                                                 \
        csr_put(CSR_MHPMEVENT3 + (n)-3, event);                                                                        \
        break;
    switch (s->counter) {
        COUNTER(3)
        COUNTER(4) COUNTER(5) COUNTER(6) COUNTER(7) COUNTER(8) COUNTER(9) COUNTER(10) COUNTER(11) COUNTER(12)
            COUNTER(13) COUNTER(14) COUNTER(15) COUNTER(16) COUNTER(17) COUNTER(18) COUNTER(19) COUNTER(20) COUNTER(21)
                COUNTER(22) COUNTER(23) COUNTER(24) COUNTER(25) COUNTER(26) COUNTER(27) COUNTER(28) COUNTER(29)
                    COUNTER(30) COUNTER(31)
    }
}

void sampling_finish(uint64_t lost) {
    sampling_take();
    sampling_buffer.lost = lost;
    __asm__ volatile("fence"
                     :
                     :
                     : "memory"); // stores leave the store queue: the buffer is looked for in cache and memory
}
