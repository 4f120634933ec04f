// Runs the program to its end, then to its last instruction at the place of the signal, and goes from frame to frame:
// by the instructions that made them, because libraries of Debian's have no tables for it (.eh_frame).
//
//   addi sp, sp, -N     a frame of N bytes
//   sd   ra, M(sp)      its return address, which has to be behind a call
#include "cli/last_calls.h"
#include "guest/guest.h"
#include "isa/control.h"
#include "isa/rvc.h"
#include <string.h>

#define LONGEST UINT64_C(1000000000) // instructions
#define WINDOW UINT64_C(30000000)    // of them at the end, in which the program dies and init says so
enum { RA = 1, SP = 2, ECALL_BYTES = 4, PAGE = 4096 };

static uint64_t run(struct iss *iss, uint64_t steps) {
    enum { CHUNK = 1 << 24 };
    uint64_t done = 0;
    while (done < steps && !iss_exited(iss, NULL) && !iss_asks_for_reset(iss))
        done += iss_run(iss, steps - done < CHUNK ? steps - done : CHUNK);
    return done;
}

// How many steps the run takes; 0: it does not end so.
static uint64_t length(last_calls_machine *again, void *context, uint64_t note) {
    struct iss *iss = again(context);
    const uint64_t steps = iss ? run(iss, LONGEST) : 0;
    const bool ends = iss && iss_exited(iss, NULL) && iss_finisher_note(iss) == note;
    iss_destroy(iss);
    return ends ? steps : 0;
}

// A program that is not linked to its addresses lies somewhere at whole pages. Behind an ecall the signal comes to the
// instruction that follows.
static bool is_there(uint64_t pc, uint64_t note) {
    return (pc - note) % PAGE == 0 || (pc + ECALL_BYTES - note) % PAGE == 0;
}

// The number of the last step that the program executes at that place; 0: none.
static uint64_t last_step(last_calls_machine *again, void *context, uint64_t steps, uint64_t note) {
    struct iss *iss = again(context);
    uint64_t last = 0, done = 0;
    if (iss) {
        struct hart *h = iss_only(iss);
        const uint64_t space = guest_space(iss);
        for (done = run(iss, steps > WINDOW ? steps - WINDOW : 0); done < steps && !iss_exited(iss, NULL); done++) {
            if (hart_privilege(h) == ISS_PRIVILEGE_U && is_there(hart_pc(h), note) && guest_space(iss) == space)
                last = done;
            hart_step(h, NULL);
        }
    }
    iss_destroy(iss);
    return last;
}

static bool load(struct iss *iss, uint64_t address, uint64_t *word) {
    uint64_t physical;
    return address % sizeof *word == 0 && hart_load_address(iss_only(iss), address, &physical) &&
           iss_read(iss, physical, word, sizeof *word);
}

struct frame {
    int64_t bytes, ra; // of the stack; where the return address is, from the stack pointer at the function's entry
    bool keeps;        // ... it is there
};

static struct frame frame_at(const struct program *p, size_t at) {
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    const struct program_function *f = program_functions(p, &count);
    struct frame frame = {0};
    for (size_t k = f[i[at].function].first; k < at; k++) {
        const uint32_t word = insn_word(i[k].insn);
        const int32_t upper = (int32_t)word >> 20;
        if ((word & 0xfffff) == 0x10113 && upper < 0) frame.bytes -= upper; // addi sp, sp, -N
        if ((word & 0x1fff07f) != 0x113023) continue;                       // sd ra, M(sp)
        frame.keeps = true;
        frame.ra = ((int32_t)word >> 25) * 32 + (int32_t)(word >> 7 & 31) - frame.bytes;
    }
    return frame;
}

// The call that this address follows.
static size_t call_before(const struct program *p, uint64_t address) {
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    for (unsigned bytes = 2; bytes <= 4; bytes += 2) {
        const size_t at = program_find(p, address - bytes);
        if (at == PROGRAM_NONE || i[at].bytes != bytes || i[at].pc != address - bytes) continue;
        if (control_kind_of(i[at].insn) == CONTROL_CALL) return at;
    }
    return PROGRAM_NONE;
}

static bool is_main(const struct program *p, size_t at) {
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    return strcmp(program_functions(p, &count)[i[at].function].symbol, "main") == 0;
}

static size_t walk(struct iss *iss, const struct program *p, uint64_t note, uint64_t calls[LAST_CALLS]) {
    const struct hart *h = iss_only(iss);
    const uint64_t pc = hart_pc(h), off = (pc - note) % PAGE ? ECALL_BYTES : 0, bias = pc + off - note;
    uint64_t sp = hart_x(h, SP), ra = hart_x(h, RA);
    size_t n = 0, count, at = program_find(p, pc - bias);
    const struct program_instruction *i = program_instructions(p, &count);
    while (at != PROGRAM_NONE && n < LAST_CALLS && !is_main(p, at)) {
        const struct frame frame = frame_at(p, at);
        sp += (uint64_t)frame.bytes;
        if (frame.keeps ? !load(iss, sp + (uint64_t)frame.ra, &ra) : n > 0) break;
        at = call_before(p, ra - bias);
        if (at != PROGRAM_NONE) calls[n++] = i[at].pc;
    }
    return n;
}

size_t last_calls_find(last_calls_machine *again, void *context, const struct program *program, uint64_t note,
                       uint64_t calls[LAST_CALLS]) {
    const uint64_t steps = length(again, context, note);
    const uint64_t last = steps ? last_step(again, context, steps, note) : 0;
    struct iss *iss = last ? again(context) : NULL;
    size_t count = 0;
    if (iss && run(iss, last) == last) count = walk(iss, program, note, calls);
    iss_destroy(iss);
    return count;
}
