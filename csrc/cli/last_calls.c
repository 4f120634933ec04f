// Runs the program to its end, then to its last instruction at the place of the signal, and goes from frame to frame.
#include "cli/last_calls.h"
#include "cli/frames.h"
#include "guest/guest.h"
#include "isa/control.h"
#include "machine/harts.h"
#include <string.h>

#define LONGEST UINT64_C(1000000000) // instructions
#define WINDOW UINT64_C(30000000)    // of them at the end, in which the program dies and init reports it
enum { RA = 1, SP = 2, ECALL_BYTES = 4, PAGE = 4096 };

static uint64_t run(struct iss *iss, uint64_t steps) {
    enum { CHUNK = 1 << 24 };
    uint64_t done = 0;
    uint64_t now = 1; // 0: all harts wait forever
    for (; now && done < steps && !iss_exited(iss, NULL) && !iss_asks_for_reset(iss); done += now)
        now = iss_run(iss, steps - done < CHUNK ? steps - done : CHUNK);
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

// Where the program lies: its instructions, and how far its addresses are from the file's.
struct code {
    const struct program *program;
    uint64_t bias;
};

// A program that is not linked to its addresses lies somewhere at whole pages. After an ecall the signal comes to the
// instruction that follows.
static bool is_there(uint64_t pc, uint64_t note) {
    return (pc - note) % PAGE == 0 || (pc + ECALL_BYTES - note) % PAGE == 0;
}

static bool is_inside(const struct code *code, uint64_t pc) {
    size_t count;
    const struct program_instruction *i = program_instructions(code->program, &count);
    return count && pc - code->bias >= i[0].pc && pc - code->bias < i[count - 1].pc + i[count - 1].bytes;
}

struct step {
    uint64_t number; // 0: none
    uint64_t from;   // the program's instruction before it
};

// What a hart has executed of the program.
struct trail {
    uint64_t now, before; // addresses, of this instruction and the one before
    struct step last;     // at the place that is looked for
};

static void follow_trail(struct trail *t, const struct code *code, uint64_t pc, uint64_t number, uint64_t note) {
    if (pc != t->now) t->before = t->now; // it may be tried again: by a missing page, or an interrupt
    t->now = pc;
    if (note ? is_there(pc, note) : !is_inside(code, pc)) {
        t->last = (struct step){number, t->before};
    } else if (!note) {
        t->last = (struct step){0};
    }
}

// The last step that the program executes at that place; or outside of its file, if that hart never came back from
// there.
static struct step last_step(last_calls_machine *again, void *context, const struct code *code, uint64_t steps,
                             uint64_t note) {
    struct iss *iss = again(context);
    struct trail trails[MACHINE_MOST_HARTS] = {{0}};
    struct step last = {0};
    if (!iss) return last;
    const uint64_t space = guest_space(iss);
    uint64_t done = run(iss, steps > WINDOW ? steps - WINDOW : 0);
    const struct hart *h;
    for (; done < steps && !iss_exited(iss, NULL) && (h = iss_next(iss)); done++) {
        if (hart_privilege(h) == ISS_PRIVILEGE_U && guest_hart_space(h) == space)
            follow_trail(&trails[hart_number(h)], code, hart_pc(h), done, note);
        iss_step(iss, NULL);
    }
    for (unsigned i = 0; i < iss_harts(iss); i++) {
        if (trails[i].last.number > last.number) last = trails[i].last;
    }
    iss_destroy(iss);
    return last;
}

static bool load(struct iss *iss, struct hart *h, uint64_t address, uint64_t *word) {
    uint64_t physical;
    return address % sizeof *word == 0 && hart_load_address(h, address, &physical) &&
           iss_read(iss, physical, word, sizeof *word);
}

// The calls that led to the instruction `at`. leaf: ra is what the function of it was called with, where no frame keeps
// that.
static void walk(struct iss *iss, struct hart *h, const struct code *code, size_t at, bool leaf,
                 struct last_calls *found) {
    const struct program *p = code->program;
    uint64_t sp = hart_x(h, SP), ra = hart_x(h, RA);
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    while (at != PROGRAM_NONE && found->count < LAST_CALLS && !frames_in_main(p, at)) {
        const struct frame frame = frames_at(p, at);
        sp += (uint64_t)frame.bytes;
        if (frame.keeps ? !load(iss, h, sp + (uint64_t)frame.ra, &ra) : !leaf) break;
        leaf = false;
        at = frames_call_before(p, ra - code->bias);
        if (at != PROGRAM_NONE) found->calls[found->count++] = i[at].pc;
    }
    found->more = at != PROGRAM_NONE && found->count == LAST_CALLS && !frames_in_main(p, at);
}

// The machine stands where the signal comes.
static void look(struct iss *iss, struct code *code, uint64_t note, uint64_t from, struct last_calls *found) {
    size_t count;
    const struct program_instruction *i = program_instructions(code->program, &count);
    struct hart *const h = iss_next(iss); // about to execute that step
    if (!h) return;
    const uint64_t pc = hart_pc(h);
    if (note) {
        code->bias = pc + ((pc - note) % PAGE ? ECALL_BYTES : 0) - note;
        walk(iss, h, code, program_find(code->program, pc - code->bias), true, found);
        return;
    }
    const size_t at = program_find(code->program, from - code->bias);
    if (at == PROGRAM_NONE) return;
    found->from = i[at].pc;
    // After a call the frame is whole, and ra is the call's own. After any other jump it may be gone.
    if (control_kind_of(i[at].insn) == CONTROL_CALL) walk(iss, h, code, at, false, found);
}

struct last_calls last_calls_find(last_calls_machine *again, void *context, const char *path,
                                  const struct program *program, uint64_t note) {
    struct error no_matter = {""};
    struct last_calls found = {0};
    struct code code = {.program = program};
    const uint64_t steps = length(again, context, note);
    struct iss *iss = steps && !note ? again(context) : NULL;
    if (iss) code.bias = guest_bias(iss, path, &no_matter);
    iss_destroy(iss);
    const struct step last = steps ? last_step(again, context, &code, steps, note) : (struct step){0};
    iss = last.number ? again(context) : NULL;
    if (iss && run(iss, last.number) == last.number) look(iss, &code, note, last.from, &found);
    iss_destroy(iss);
    return found;
}
