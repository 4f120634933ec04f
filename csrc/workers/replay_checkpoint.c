// The trail: a second golden ISS, which follows lockstep's some thousand instructions behind, so that a run that fails
// can leave the machine as it was shortly before (harness/core_failure.c).
//
// It executes what lockstep's ISS executed, in one go for each WINDOW of instructions, which costs next to nothing
// beside the model. What only the core can know is written down on the way: when an interrupt came, which values were
// taken over, what the host wrote. The devices follow by themselves: their state changes in accesses alone, and the
// console's input is read from a handle of its own.
#include "base/array.h"
#include "csrs.h"
#include "machine/htif.h"
#include "workers/worker.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WINDOW = 10000 };          // instructions and traps: the trail is one to two of them behind
enum { CONSOLE_ANSWER = 0x0100 }; // bits 63:48 of fromhost

enum note_kind { NOTE_INTERRUPT, NOTE_HOST_WRITE, NOTE_X, NOTE_F, NOTE_MCYCLE };
struct note {                  // behind `at` steps of the run
    uint64_t at, value, where; // where: address, register or cause
    enum note_kind kind;
};

struct window {
    struct note *notes;
    size_t count, capacity;
    uint64_t end, cycle, pc; // after it: steps so far, cycle, address of the next instruction
};

struct trail {
    struct iss *iss;
    struct hart *hart; // its only one
    FILE *input;
    uint64_t tohost, fromhost;   // addresses; 0: none
    uint64_t steps, cycle;       // of the run
    uint64_t at, behind;         // of the trail: steps, and the cycle that it stands behind
    uint64_t skew;               // steps less than cycles when mcycle was written last
    bool lost;                   // it is not where it should be, or memory ran out
    struct window first, second; // still to be followed: a whole one, and one that is filled
};

static void destroy(void *state) {
    struct trail *t = state;
    iss_destroy(t->iss);
    if (t->input) fclose(t->input);
    free(t->first.notes);
    free(t->second.notes);
    free(t);
}

// A handle of its own; of what can be read once only, a pipe, there is none.
static FILE *open_input(const char *path) {
    struct stat status;
    bool file = path && stat(path, &status) == 0 && S_ISREG(status.st_mode);
    return file ? fopen(path, "re") : NULL;
}

static int set_up(struct trail *t, const struct worker_run *run, struct error *err) {
    if (!(t->iss = iss_create(err))) return -ENOMEM;
    t->hart = iss_only(t->iss);
    iss_set_fp(t->iss, run->core.fp);
    iss_set_pmp_entries(t->iss, run->core.pmp_entries);
    iss_set_window(t->iss, run->core.window);
    iss_set_ctr_depth(t->iss, run->core.ctr_depth);
    iss_set_profileme(t->iss, run->core.profileme);
    iss_set_triggers(t->iss, run->core.triggers);
    iss_set_ad_update(t->iss, run->core.ad_update);
    iss_set_hart_id(t->iss, run->core.hart_id);
    t->input = open_input(run->input);
    iss_set_console(t->iss, NULL, t->input);
    if (iss_set_memory(t->iss, run->core.memory, err) < 0) return -ENOMEM;
    if (iss_load(t->iss, run->image, err) < 0) return -EINVAL;
    if (run->devices) resume_give_devices(t->iss, run->devices);
    iss_set_autonomous(t->iss, false);
    return htif_find(run->image, iss_memory_bytes(t->iss), &t->tohost, &t->fromhost, err);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct trail *t = error_calloc(sizeof *t, "replay-checkpoint", err);
    if (!t) return NULL;
    if (set_up(t, run, err) == 0) return t;
    destroy(t);
    return NULL;
}

// ---- writing down ----
static void note(struct trail *t, enum note_kind kind, uint64_t where, uint64_t value) {
    struct window *w = &t->second;
    if (!array_reserve(&w->notes, &w->capacity, w->count, sizeof *w->notes)) {
        t->lost = true;
        return;
    }
    w->notes[w->count++] = (struct note){t->steps, value, where, kind};
}

// core NULL: a trap.
static void note_step(struct trail *t, const struct iss_retire *step, const struct retired *core) {
    if (step->trap && step->interrupt) note(t, NOTE_INTERRUPT, step->cause, 0);
    t->steps++;
    if (step->csr_written && step->csr == CSR_MCYCLE) note(t, NOTE_MCYCLE, 0, t->cycle);
    if (core && step->rd_written && cosim_takes_over_rd(step))
        note(t, step->rd_fp ? NOTE_F : NOTE_X, step->rd, core->rd_value);
}

// ---- following ----
static void run_to(struct trail *t, uint64_t to) {
    while (t->at < to) {
        uint64_t done = iss_run(t->iss, to - t->at);
        t->at += done;
        if (done) continue;
        t->lost = true; // it has ended by itself
        t->at = to;
    }
}

// Whether that is where the words of the system call stand which is under way: their first becomes its result.
static bool is_answer(const struct trail *t, uint64_t address) {
    uint64_t command = 0;
    if (t->tohost) iss_read(t->iss, t->tohost, &command, sizeof command);
    return command && command == address;
}

static void write_by_host(struct trail *t, uint64_t address, uint64_t value) {
    if (is_answer(t, address)) resume_answered(t->iss, address, value);
    iss_host_write(t->iss, address, value);
    if (address == t->fromhost && value >> 48 == CONSOLE_ANSWER) resume_received(t->iss);
}

static void apply(struct trail *t, const struct note *n) {
    run_to(t, n->at);
    switch (n->kind) {
    case NOTE_INTERRUPT:
        hart_take_interrupt(t->hart, (unsigned)n->where, NULL);
        t->at++;
        break;
    case NOTE_HOST_WRITE: write_by_host(t, n->where, n->value); break;
    case NOTE_X: hart_override(t->hart, (unsigned)n->where, n->value); break;
    case NOTE_F: hart_set_f(t->hart, (unsigned)n->where, n->value); break;
    case NOTE_MCYCLE: t->skew = n->value - n->at; break;
    }
}

static void follow(struct trail *t, struct window *w) {
    for (size_t i = 0; i < w->count && !t->lost; i++)
        apply(t, &w->notes[i]);
    if (!t->lost) run_to(t, w->end);
    t->behind = w->cycle;
    t->lost = t->lost || hart_pc(t->hart) != w->pc;
    w->count = 0;
}

// The window that was filled is a whole one now.
static void next_window(struct trail *t, const struct hart *golden) {
    struct window emptied = t->first;
    if (emptied.end) follow(t, &emptied);
    t->second.end = t->steps;
    t->second.cycle = t->cycle;
    t->second.pc = hart_pc(golden);
    t->first = t->second;
    emptied.count = 0;
    t->second = emptied;
}

__attribute__((noinline)) static void note_all(struct trail *t, const struct worker_view *v) {
    const struct golden *golden = v->golden;
    for (unsigned i = 0; i < v->left->host_write_count; i++)
        note(t, NOTE_HOST_WRITE, v->left->host_writes[i].addr, v->left->host_writes[i].data);
    for (unsigned i = 0; golden->cycle == v->cycle && i < golden->count; i++)
        note_step(t, &golden->step[i], i < v->left->count ? &v->left->retired[i] : NULL);
}

// Of plain instructions there is nothing to note.
static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct trail *t = state;
    const struct golden *golden = v->golden;
    (void)err;
    if (t->lost) return 0;
    t->cycle = v->cycle;
    if (golden->plain && golden->cycle == v->cycle && !v->left->host_write_count) {
        t->steps += golden->count;
    } else {
        note_all(t, v);
    }
    if (t->steps - t->first.end >= WINDOW) next_window(t, golden->hart);
    return 0;
}

// ---- the machine that it has ----
// Whether the host has nothing to do: a command of the program is not under way.
static bool host_is_idle(const struct trail *t, const struct note *notes, size_t count) {
    uint64_t word = 0;
    if (t->tohost) iss_read(t->iss, t->tohost, &word, sizeof word);
    for (size_t i = 0; i < count; i++) { // the answer comes after the host's last look at tohost
        if (notes[i].kind == NOTE_HOST_WRITE) return word == 0 && notes[i].where != t->fromhost;
    }
    return word == 0;
}

// Goes on, step by step, to where a core can begin; false: there is no such place in this window.
static bool advance(struct trail *t, const struct window *w) {
    size_t i = 0;
    while (t->at < w->end && !t->lost) {
        while (i < w->count && w->notes[i].at <= t->at && w->notes[i].kind != NOTE_INTERRUPT)
            apply(t, &w->notes[i++]);
        if (resume_possible(t->iss) && host_is_idle(t, w->notes + i, w->count - i)) return true;
        if (i < w->count && w->notes[i].at == t->at) {
            apply(t, &w->notes[i++]);
        } else {
            run_to(t, t->at + 1);
        }
    }
    return false;
}

static struct worker_past past(void *state) {
    struct trail *t = state;
    bool known = !t->lost && t->first.end && t->behind; // two windows at least have gone by
    if (!known || !advance(t, &t->first)) return (struct worker_past){0};
    return (struct worker_past){t->iss, t->behind, t->behind - t->at - t->skew, t->steps - t->at};
}

const struct worker_ops worker_replay_checkpoint = {
    .name = "replay-checkpoint",
    .text = "a checkpoint some thousand instructions back, for when a check fails",
    .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN,
    .standard = WORKER_WITH_LOCKSTEP,
    .alone = true,
    .leaving_only = true,
    .create = create,
    .cycle = cycle,
    .past = past,
    .destroy = destroy};
