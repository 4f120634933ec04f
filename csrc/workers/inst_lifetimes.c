// Follows every instruction from fetch until it leaves (oracle/lives.h). Every record of the harness's ProfileMe is
// held to what its instruction lived through, field by field; what retired, also to what the golden ISS says of it:
// where it went, what it accessed. So are the records that the program itself reads, as it reads them. For the sample
// file it keeps the exact totals of every instruction, which ProfileMe estimates. Its result counts the records
// that were right, those that the program has read of its own unit among them, the instructions fetched and retired,
// and the distances of selected ones.
#include "base/array.h"
#include "base/grouped.h"
#include "events.h"
#include "instructions.h"
#include "oracle/life_book.h"
#include "oracle/life_record.h"
#include "oracle/lives.h"
#include "results.h"
#include "workers/profileme_reads.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES = 1 << 16 };

struct lives_worker {
    struct lives *lives;
    const struct instruction_settings *settings;
    struct life_book *book;
    uint64_t fetch_cycle[CYCLES]; // last cycle of this number in which something was fetched, plus 1
    const struct worker_view *view;
    unsigned retired_now;
    uint64_t now, begin, fetched, retired, records;
    uint64_t *numbers; // of the first of all selected, to hold their distances to the interval
    size_t number_count, number_capacity;
    bool ended;
    struct instruction_sample before; // the record before, of the harness's unit
    bool first_waits;                 // it is the first of a pair
    uint64_t first;                   // of it: of all instructions or slots
    struct profileme_reads software;
    uint64_t software_records; // that it has read whole
};

// ---- records ----
// A fetch opportunity without an instruction.
static int check_empty(const struct lives_worker *w, const struct instruction_sample *s, struct error *err) {
    const bool fetched = w->fetch_cycle[s->cycle % CYCLES] == s->cycle + 1;
    const struct instruction_sample e = {.cycle = s->cycle,
                                         .opportunity = s->opportunity,
                                         .mode = s->mode,
                                         .space = s->space,
                                         .tag = s->tag,
                                         .pair = s->pair,
                                         .second = s->second,
                                         .distance = s->distance,
                                         .collisions = s->collisions};
    if (fetched == (s->opportunity == 1)) return life_record_differs(s, &e, err);
    error_set(err, "ProfileMe: record of a fetch opportunity in cycle %" PRIu64 ": says %s, but %s", s->cycle,
              s->opportunity == 1 ? "beside a packet" : "nothing fetched",
              fetched ? "a packet was fetched" : "no packet was");
    return -EBADMSG;
}

// What belongs to the registers and not to the instruction: whose they are, and how the two of a pair belong together.
static const char *pair_fault(struct lives_worker *w, const struct instruction_sample *s, const struct life *life) {
    const struct instruction_settings *settings = w->settings;
    if (s->collisions < w->before.collisions) return "collisions are fewer than before";
    if (s->pair != settings->pairs) return "pair is not as set";
    if (!s->pair && (s->second || s->distance)) return "second or distance without a pair";
    if (s->pair && s->tag % 2 != s->second) return "tag is not that of its place in a pair";
    if (!s->second) return s->distance ? "distance of the first of a pair" : NULL;
    if (!w->first_waits) return "second without a first";
    if (s->tag != w->before.tag + 1) return "tag is not that beside the first's";
    if (s->distance != life_saturated(s->cycle - w->before.cycle)) return "distance is not that from the first's fetch";
    const uint64_t apart = !life || w->before.opportunity ? 1
                           : settings->opportunities      ? life->slots - w->first
                                                          : life->number - w->first;
    return apart < 1 || apart > UINT64_C(1) << settings->window ? "second is not within the window after the first"
                                                                : NULL;
}

static int check_pair(struct lives_worker *w, const struct instruction_sample *s, const struct life *life,
                      struct error *err) {
    const char *fault = pair_fault(w, s, life);
    w->before = *s;
    w->first_waits = s->pair && !s->second;
    if (life) w->first = w->settings->opportunities ? life->slots : life->number;
    if (!fault) return 0;
    error_set(err, "ProfileMe: record of 0x%" PRIx64 ", fetched in cycle %" PRIu64 ": %s", s->pc, s->cycle, fault);
    return -EBADMSG;
}

// of_harness: else the program has read it, of whose settings nothing is known here.
static int check_record(struct lives_worker *w, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], bool of_harness,
                        struct error *err) {
    struct instruction_sample s;
    instruction_sample_unpack(&s, words);
    const struct life *life = s.opportunity ? NULL : life_book_find(w->book, s.cycle, s.pc);
    int result = of_harness ? check_pair(w, &s, life, err) : 0;
    if (result < 0) return result;
    if (s.opportunity) return check_empty(w, &s, err);
    if (!life) {
        error_set(err,
                  "ProfileMe: record of 0x%" PRIx64 ", fetched in cycle %" PRIu64
                  ": no such instruction was fetched in that cycle, or it has not left",
                  s.pc, s.cycle);
        return -EBADMSG;
    }
    const struct instruction_sample e = life_record(life, &s);
    return life_record_differs(&s, &e, err);
}

static int instruction(void *state, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err) {
    struct lives_worker *w = state;
    w->records++;
    int result = check_record(w, words, true, err);
    if (result < 0 || w->before.second || w->before.opportunity) return result;
    if (!array_reserve(&w->numbers, &w->number_capacity, w->number_count, sizeof *w->numbers))
        return error_nomem(err, "inst-lifetimes");
    w->numbers[w->number_count++] = w->first;
    return 0;
}

// ---- a cycle ----
// What the golden ISS says of an instruction that retires.
static int check_golden(struct lives_worker *w, const struct life *life, struct error *err) {
    const struct golden *golden = w->view->golden;
    if (!golden || golden->cycle != w->now || w->retired_now >= golden->count) return 0;
    const struct iss_retire *step = &golden->step[w->retired_now++];
    const bool jumps = life->resolved, memory = step->access != 0;
    const uint64_t follow = step->pc + ((step->insn & 3) == 3 ? 4 : 2);
    const char *what = NULL;
    if (jumps && life->unit == UNIT_BRANCH && life->taken != (step->next_pc != follow) && step->next_pc != follow)
        what = "direction";
    if (jumps && life->taken && life->address != step->next_pc) what = "target";
    if (memory && !life->addressed) what = "address, which is missing";
    if (memory && life->addressed && life->address != step->virtual_address) what = "address";
    if (!what) return 0;
    error_set(err, "inst-lifetimes: cycle %" PRIu64 ": 0x%" PRIx64 " retires: %s differs from the golden ISS", w->now,
              life->pc, what);
    return -EBADMSG;
}

static int left(void *context, const struct life *life, unsigned lane, struct error *err) {
    struct lives_worker *w = context;
    struct life copy = *life;
    int result = 0;
    if (lane < MAX_LANES) {
        copy.psv = w->view->bundle->psv[lane]; // as the ROB has kept it
        result = check_golden(w, life, err);
        if (result == 0 && copy.psv != (life->psv | (life->mispredicted ? 1 << EVENT_FL_MB : 0))) {
            error_set(err, "inst-lifetimes: cycle %" PRIu64 ": 0x%" PRIx64 " retires with vector 0x%x, but it met 0x%x",
                      w->now, life->pc, copy.psv, life->psv);
            result = -EBADMSG;
        }
        w->retired++;
    }
    if (!life_book_add(w->book, &copy, !w->ended) && result == 0) result = error_nomem(err, "inst-lifetimes");
    return result;
}

// The program acknowledges a record: what it has read of it is held to the same account as the harness's.
static int watch_software(struct lives_worker *w, const struct worker_view *v, struct error *err) {
    int result = 0;
    for (unsigned k = 0; result == 0 && v->golden->cycle == v->cycle && k < v->left->count && k < v->golden->count;
         k++) {
        uint64_t words[INSTRUCTION_SAMPLE_WORDS];
        const struct iss_retire *step = &v->golden->step[k];
        if (!step->csr_accessed || !profileme_reads_step(&w->software, step, v->left->retired[k].rd_value, words))
            continue;
        w->software_records++;
        if (!profileme_reads_hidden(words, step->privilege)) result = check_record(w, words, false, err);
    }
    return result;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct lives_worker *w = state;
    w->view = v;
    w->now = v->cycle;
    w->retired_now = 0;
    for (unsigned i = 0; i < v->life->count; i++) {
        if (v->life->list[i].kind != LIFE_FETCH) continue;
        w->fetched++;
        w->fetch_cycle[v->cycle % CYCLES] = v->cycle + 1;
    }
    int result = v->left->count ? watch_software(w, v, err) : 0;
    if (result == 0) result = lives_cycle(w->lives, v->cycle, v->count, v->bundle, v->life, err);
    const uint64_t oldest = lives_oldest(w->lives);
    if (result == 0 && !w->ended && life_book_pending(w->book) > 1024 &&
        !life_book_overlaps(w->book, oldest == LIFE_NEVER ? v->cycle : oldest))
        result = error_nomem(err, "inst-lifetimes");
    return result;
}

static int begin(void *state, uint64_t now, struct error *err) {
    (void)err;
    struct lives_worker *w = state;
    w->begin = now;
    w->fetched = w->retired = 0;
    life_book_begin(w->book, now);
    return 0;
}

static int end(void *state, uint64_t now, struct error *err) {
    (void)now;
    (void)err;
    struct lives_worker *w = state;
    life_book_overlaps(w->book, LIFE_NEVER);
    w->ended = true;
    return 0;
}

// ---- the end ----
static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Between two selected instructions lies a whole number of intervals: one, or more where some found no room.
static int check_distances(const struct lives_worker *w, struct error *err) {
    const uint64_t least = instruction_interval_least(w->settings), most = instruction_interval_most(w->settings);
    for (size_t i = 1; i < w->number_count; i++) {
        const uint64_t distance = w->numbers[i] - w->numbers[i - 1], fewest = (distance + most - 1) / most;
        if (fewest && fewest * least <= distance) continue;
        error_set(err,
                  "ProfileMe: selected instructions %" PRIu64 " and %" PRIu64 " of all that were fetched: %" PRIu64
                  " apart, not a sum of intervals of %" PRIu64 " to %" PRIu64,
                  w->numbers[i - 1], w->numbers[i], distance, least, most);
        return -EBADMSG;
    }
    return 0;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    (void)cycles;
    struct lives_worker *w = state;
    if (!w->ended) life_book_overlaps(w->book, LIFE_NEVER);
    if (!w->settings || !w->number_count) return 0;
    qsort(w->numbers, w->number_count, sizeof *w->numbers, by_number);
    return check_distances(w, err);
}

static void checked(void *state, char *text, size_t size) {
    char records[GROUPED_TEXT];
    snprintf(text, size, "%s records of ProfileMe against every instruction's way",
             grouped(records, ((const struct lives_worker *)state)->records));
}

static bool publish(void *state, struct results *results) {
    size_t count;
    const struct lives_worker *w = state;
    const struct lifetime *rows = life_book_totals(w->book, &count);
    bool good = results_add_life_counts(
        results, &(struct life_counts){w->records, w->software_records, w->fetched, w->retired, w->number_count});
    for (size_t i = 0; good && i < count; i++)
        good = results_add_lifetime(results, &rows[i]);
    return good;
}

static void destroy(void *state) {
    struct lives_worker *w = state;
    lives_destroy(w->lives);
    life_book_destroy(w->book);
    free(w->numbers);
    free(w);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct lives_worker *w = error_calloc(sizeof *w, "inst-lifetimes", err);
    if (!w) return NULL;
    w->settings = run->profileme;
    w->book = life_book_create(err);
    w->lives = w->book ? lives_create(run->width, run->fetch_width, left, w, err) : NULL;
    if (w->lives) return w;
    destroy(w);
    return NULL;
}

const struct worker_ops worker_inst_lifetimes = {
    .name = "inst-lifetimes",
    .text = "every instruction from fetch until it retires or dies: holds ProfileMe's "
            "records to it, and adds its exact totals to the sample file",
    .needs = DPI_BUNDLE | DPI_RETIRE | DPI_LIFE | WORKER_GOLDEN,
    .standard = WORKER_WITH_PROFILEME,
    .check = true,
    .create = create,
    .cycle = cycle,
    .begin = begin,
    .end = end,
    .instruction = instruction,
    .finish = finish,
    .checked = checked,
    .publish = publish,
    .destroy = destroy};
