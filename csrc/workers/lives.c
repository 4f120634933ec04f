// Follows every instruction from fetch until it leaves (oracle/lives.h). Every record of the harness's ProfileMe is
// held to what its instruction lived through, field by field; what retired, also to what the golden ISS says of it:
// where it went, what it accessed. So are the records that the program itself reads, as it reads them. For the sample
// file it keeps the exact totals of every instruction, which ProfileMe estimates. Adds to the statistics:
//   lives  {records: checked, software: records that the program has read of its own unit, and that are right, fetched,
//   retired: instructions, distances: of selected ones, checked}
#include "oracle/lives.h"
#include "base/array.h"
#include "base/life_totals.h"
#include "csrs.h"
#include "events.h"
#include "instruction_sample.h"
#include "instructions.h"
#include "iss/rvc.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 1 << 16, CYCLES = 1 << 16, LONGEST = CYCLES / 2 };

struct lives_worker {
    struct lives *lives;
    const struct instruction_settings *settings;
    struct life left[LEFT];              // those that left last
    uint32_t previous[LEFT], last[LEFT]; // plus 1; by hash of fetch and address
    uint64_t left_count, totalled;       // of them; whose overlap has been counted
    uint64_t fetch_cycle[CYCLES];        // last cycle of this number in which something was fetched, plus 1
    uint64_t useful_cycle[CYCLES];       // of useful[]
    uint16_t useful[CYCLES];             // instructions that issued then and retired
    struct life_table *table;
    const struct worker_view *view;
    unsigned retired_now;
    uint64_t now, begin, fetched, retired, records;
    uint64_t *numbers; // of the first of all selected, to hold their distances to the interval
    size_t number_count, number_capacity;
    bool ended;
    struct instruction_sample before; // the record before, of the harness's unit
    bool first_waits;                 // it is the first of a pair
    uint64_t first;                   // of it: of all instructions or slots
    uint64_t select,
        software_words[INSTRUCTION_SAMPLE_WORDS]; // what the program reads of its own ProfileMe, word by word
    uint32_t software_read;                       // those of them that it has
    uint64_t software;                            // records that it has read whole
};

// ---- records ----
static uint32_t bucket(uint64_t fetched, uint64_t pc) {
    return (uint32_t)((fetched * 0x9e3779b97f4a7c15u ^ pc >> 1) % LEFT);
}

static void keep(struct lives_worker *w, const struct life *life) {
    const uint32_t place = (uint32_t)(w->left_count++ % LEFT), b = bucket(life->fetched, life->pc);
    w->left[place] = *life;
    w->previous[place] = w->last[b];
    w->last[b] = place + 1;
}

static const struct life *find(const struct lives_worker *w, uint64_t fetched, uint64_t pc) {
    uint32_t place = w->last[bucket(fetched, pc)];
    for (unsigned n = 0; place && n < LEFT; n++, place = w->previous[place - 1]) {
        const struct life *life = &w->left[place - 1];
        if (life->fetched == fetched && life->pc == pc) return life;
        if (life->fetched < fetched && life->left < fetched) break; // older ones follow
    }
    return NULL;
}

static uint16_t saturated(uint64_t cycles) {
    return cycles < 4095 ? (uint16_t)cycles : 4095;
}

static bool is_link(unsigned reg) {
    return reg == 1 || reg == 5;
}

// Smpdis: bits 42 on of the header of a control transfer (unprivileged manual, return-address stack hints).
static uint16_t transfer(const struct life *life, bool returns) {
    const uint32_t insn = (life->insn & 3) == 3 ? life->insn : rvc_expand((uint16_t)life->insn);
    const unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
    uint16_t bits = returns | (life->mispredicted ? 1 << 13 : 0);
    switch (life->unit) {
    case UNIT_BRANCH: return bits | (life->resolved ? (life->taken ? 1 << 2 : 1 << 1) : 0);
    case UNIT_JAL: return bits | (is_link(rd) ? 1 << 6 : 1 << 8);
    case UNIT_JALR:
        if (is_link(rd)) return bits | (is_link(rs1) && rd != rs1 ? 1 << 9 : 1 << 5);
        return bits | (is_link(rs1) ? 1 << 10 : 1 << 7);
    default: return bits;
    }
}

static bool is_return(const struct life *life) {
    static const struct insn_info rows[] = {INSN_INFO_ROWS};
    const char *name = rows[insn_decode(life->insn)].name;
    return life->unit == UNIT_SYS && (strcmp(name, "mret") == 0 || strcmp(name, "sret") == 0);
}

static uint8_t kind_of(const struct life *life) {
    const bool jumps = life->unit == UNIT_BRANCH || life->unit == UNIT_JAL || life->unit == UNIT_JALR;
    if (life->mapped == LIFE_NEVER) return jumps ? 4 : 0; // decode has not seen it
    if (is_return(life)) return 4;
    if (!life->queued) return 0; // cannot be executed
    switch (life->unit) {
    case UNIT_LOAD: return 1;
    case UNIT_STORE: return 2;
    case UNIT_AMO: return 3;
    default: return jumps ? 4 : 0;
    }
}

static void expect_latencies(const struct life *life, struct instruction_sample *s) {
    const uint64_t mapped = life->mapped == LIFE_NEVER ? life->left : life->mapped;
    const uint64_t ready = life->ready != LIFE_NEVER && life->ready <= life->left ? life->ready : life->left;
    const uint64_t issued = life->issued != LIFE_NEVER ? life->issued : life->left;
    const uint64_t done = life->done != LIFE_NEVER ? life->done : life->left;
    s->dispatch = saturated(mapped - life->fetched);
    s->dispatched = life->mapped != LIFE_NEVER;
    s->stage = 1;
    if (!s->dispatched) {
        s->total = s->dispatch;
        return;
    }
    s->issued = life->issued != LIFE_NEVER;
    s->executed = life->done != LIFE_NEVER;
    s->stage = s->executed ? 5 : s->issued ? 4 : life->ready != LIFE_NEVER && life->ready <= life->left ? 3 : 2;
    s->operands = saturated(ready - mapped);
    s->contention = saturated(issued - ready);
    s->issue = saturated((uint64_t)s->operands + s->contention);
    s->execution = s->issued ? saturated(done - issued) : 0;
    s->retire_wait = s->executed ? saturated(life->left - done) : 0;
    s->total = saturated(saturated((uint64_t)s->dispatch + s->issue) +
                         (uint64_t)saturated((uint64_t)s->execution + s->retire_wait));
    s->oldest = life->headed == LIFE_NEVER ? 0 : saturated(life->left - life->headed + 1);
    s->was_oldest = life->headed != LIFE_NEVER;
}

static struct instruction_sample expected(const struct life *life, const struct instruction_sample *told) {
    static const uint8_t flush[LIFE_OUTCOMES] = {0, 1, 2, 3, 3, 3, 3};
    struct instruction_sample s = {.kind = kind_of(life),
                                   .events = life->psv,
                                   .conflicts = life->conflicts,
                                   .addressed = life->addressed,
                                   .flushed = life->outcome != OUTCOME_RETIRED,
                                   .flush = flush[life->outcome],
                                   .pc = life->pc,
                                   .cycle = life->fetched,
                                   .address = life->addressed ? life->address : 0,
                                   .mode = life->mode,
                                   .outcome = life->outcome,
                                   .own = life->own,
                                   .resolved = life->resolved,
                                   .taken = life->taken,
                                   .mispredicted = life->mispredicted,
                                   .cause = life->cause,
                                   .space = life->space,
                                   .history = life->history,
                                   // of the registers, and of the pair: held to elsewhere
                                   .collisions = told->collisions,
                                   .tag = told->tag,
                                   .pair = told->pair,
                                   .second = told->second,
                                   .distance = told->distance};
    s.itlb_miss = life->psv >> EVENT_DR_TLB & 1;
    s.icache_miss = life->psv >> EVENT_DR_L1 & 1;
    if (s.kind == 4) s.detail = transfer(life, is_return(life) && life->mapped != LIFE_NEVER);
    if (s.kind >= 1 && s.kind <= 3)
        s.detail = (uint16_t)((life->psv >> EVENT_ST_TLB & 1) | (life->psv >> EVENT_ST_L1 & 1) << 2 |
                              (life->psv >> EVENT_ST_LLC & 1) << 3);
    expect_latencies(life, &s);
    return s;
}

static int differs(const struct instruction_sample *s, const struct instruction_sample *e, struct error *err) {
#define COMPARE(field, text)                                                                                           \
    if (s->field != e->field) {                                                                                        \
        error_set(err,                                                                                                 \
                  "ProfileMe: record of 0x%" PRIx64 ", fetched in cycle %" PRIu64 ": " #field " is %" PRIu64           \
                  ", expected %" PRIu64,                                                                               \
                  s->pc, s->cycle, (uint64_t)s->field, (uint64_t)e->field);                                            \
        return -EBADMSG;                                                                                               \
    }
    INSTRUCTION_SAMPLE_FIELDS(COMPARE)
#undef COMPARE
    return 0;
}

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
    if (fetched == (s->opportunity == 1)) return differs(s, &e, err);
    error_set(err, "ProfileMe: record of a fetch opportunity in cycle %" PRIu64 ": says %s, but %s", s->cycle,
              s->opportunity == 1 ? "beside a packet" : "nothing fetched",
              fetched ? "a packet was fetched" : "no packet was");
    return -EBADMSG;
}

// What is of the registers and not of the instruction: whose they are, and how the two of a pair belong together.
static const char *pair_fault(struct lives_worker *w, const struct instruction_sample *s, const struct life *life) {
    const struct instruction_settings *settings = w->settings;
    if (s->collisions < w->before.collisions) return "collisions are fewer than before";
    if (s->pair != settings->pairs) return "pair is not as set";
    if (!s->pair && (s->second || s->distance)) return "second or distance without a pair";
    if (s->pair && s->tag % 2 != s->second) return "tag is not that of its place in a pair";
    if (!s->second) return s->distance ? "distance of the first of a pair" : NULL;
    if (!w->first_waits) return "second without a first";
    if (s->tag != w->before.tag + 1) return "tag is not that beside the first's";
    if (s->distance != saturated(s->cycle - w->before.cycle)) return "distance is not that from the first's fetch";
    const uint64_t apart = !life || w->before.opportunity ? 1
                           : settings->opportunities      ? life->slots - w->first
                                                          : life->number - w->first;
    return apart < 1 || apart > UINT64_C(1) << settings->window ? "second is not within the window behind the first"
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
    const struct life *life = s.opportunity ? NULL : find(w, s.cycle, s.pc);
    int result = of_harness ? check_pair(w, &s, life, err) : 0;
    if (result < 0) return result;
    if (s.opportunity) return check_empty(w, &s, err);
    if (!life) {
        error_set(err,
                  "ProfileMe: record of 0x%" PRIx64 ", fetched in cycle %" PRIu64
                  ": no such instruction was fetched then, or it has not left",
                  s.pc, s.cycle);
        return -EBADMSG;
    }
    const struct instruction_sample e = expected(life, &s);
    return differs(&s, &e, err);
}

static int instruction(void *state, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err) {
    struct lives_worker *w = state;
    w->records++;
    int result = check_record(w, words, true, err);
    if (result < 0 || w->before.second || w->before.opportunity) return result;
    if (!array_reserve(&w->numbers, &w->number_capacity, w->number_count, sizeof *w->numbers)) {
        error_set(err, "lives: out of memory: free some and run again");
        return -ENOMEM;
    }
    w->numbers[w->number_count++] = w->first;
    return 0;
}

// ---- totals ----
static void add(struct life_row *row, enum life_total total, uint64_t amount) {
    row->total[total] += amount;
}

static struct life_row *book(struct lives_worker *w, const struct life *life) {
    struct life_row *row = life_table_row(w->table, (struct place){life->pc, place_context(life->mode, life->space)});
    if (!row) return NULL;
    add(row, TOTAL_FETCHED, 1);
    add(row, TOTAL_MAPPED, life->mapped != LIFE_NEVER);
    add(row, TOTAL_RETIRED + life->outcome, 1);
    add(row, TOTAL_OWN, life->own);
    for (unsigned e = 0; e < 16; e++)
        add(row, TOTAL_EVENT + e, life->psv >> e & 1);
    for (unsigned c = 0; c < 9; c++)
        add(row, TOTAL_CONFLICT + c, life->conflicts >> c & 1);
    if (life->outcome != OUTCOME_RETIRED) return row;
    add(row, TOTAL_DISPATCH, life->mapped - life->fetched);
    add(row, TOTAL_OPERANDS, life->ready - life->mapped);
    add(row, TOTAL_CONTENTION, life->issued - life->ready);
    add(row, TOTAL_EXECUTION, life->done - life->issued);
    add(row, TOTAL_RETIRE_WAIT, life->left - life->done);
    add(row, TOTAL_OLDEST, life->headed == LIFE_NEVER ? 0 : life->left - life->headed + 1);
    add(row, TOTAL_TAKEN, life->resolved && life->taken);
    add(row, TOTAL_MISPREDICTED, life->mispredicted);
    return row;
}

static void issue_counts(struct lives_worker *w, const struct life *life) {
    if (life->outcome != OUTCOME_RETIRED) return;
    const uint64_t i = life->issued % CYCLES;
    if (w->useful_cycle[i] != life->issued + 1) w->useful[i] = 0;
    w->useful_cycle[i] = life->issued + 1;
    w->useful[i]++;
}

static uint64_t progress_end(const struct life *life) {
    return life->done != LIFE_NEVER ? life->done : life->left;
}

// Those whose whole time from fetch to retire ready lies before what is still in flight was fetched: all that issued in
// it has left.
static bool count_overlaps(struct lives_worker *w, bool all) {
    const uint64_t oldest = all ? LIFE_NEVER : lives_oldest(w->lives);
    for (; w->totalled < w->left_count; w->totalled++) {
        const struct life *life = &w->left[w->totalled % LEFT];
        const uint64_t end = progress_end(life);
        if (!all && (oldest == LIFE_NEVER ? w->now : oldest) < end) break;
        if (life->fetched < w->begin || end - life->fetched > LONGEST) continue;
        struct life_row *row =
            life_table_row(w->table, (struct place){life->pc, place_context(life->mode, life->space)});
        if (!row) return false;
        uint64_t useful = 0;
        for (uint64_t cycle = life->fetched; cycle < end; cycle++)
            if (w->useful_cycle[cycle % CYCLES] == cycle + 1) useful += w->useful[cycle % CYCLES];
        if (life->outcome == OUTCOME_RETIRED && life->issued < end) useful--;
        add(row, TOTAL_PROGRESS, end - life->fetched);
        add(row, TOTAL_USEFUL, useful);
        add(row, TOTAL_OVERLAPPED, 1);
    }
    return true;
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
    error_set(err, "lives: cycle %" PRIu64 ": 0x%" PRIx64 " retires: %s differs from the golden ISS", w->now, life->pc,
              what);
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
            error_set(err, "lives: cycle %" PRIu64 ": 0x%" PRIx64 " retires with vector 0x%x, but it met 0x%x", w->now,
                      life->pc, copy.psv, life->psv);
            result = -EBADMSG;
        }
        w->retired++;
    }
    keep(w, &copy);
    issue_counts(w, &copy);
    if (life->fetched >= w->begin && !w->ended && !book(w, &copy)) {
        error_set(err, "lives: out of memory: free some and run again");
        result = -ENOMEM;
    }
    return result;
}

// Whoever is not M-mode sees neither addresses nor history of M-mode's instructions: of such a record nothing can be
// found.
static bool hidden(const struct instruction_sample *s, uint8_t reader) {
    return reader != MODE_MACHINE && s->mode == MODE_MACHINE && s->pc == 0 && s->address == 0 && s->history == 0;
}

// The program acknowledges a record: what it has read of it is held to the same account as the harness's.
static int acknowledged(struct lives_worker *w, uint8_t reader, struct error *err) {
    enum { ALL = (1 << INSTRUCTION_SAMPLE_WORDS) - 1, SPARE = 1 << 5 };
    const bool whole = (w->software_read | SPARE) == ALL;
    w->software_read = 0;
    if (!whole) return 0;
    struct instruction_sample s;
    instruction_sample_unpack(&s, w->software_words);
    w->software++;
    if (hidden(&s, reader)) return 0;
    return check_record(w, w->software_words, false, err);
}

// CSR instructions of the program that reach its ProfileMe (siselect 0x60 and 0x61, or miselect).
static int watch_software(struct lives_worker *w, const struct worker_view *v, struct error *err) {
    static const uint8_t numbers[] = {0, 1, 2, 3, 0, 4, 5, 6}; // by the address's low bits: sireg4 is 0x155
    int result = 0;
    for (unsigned k = 0; result == 0 && v->golden->cycle == v->cycle && k < v->left->count && k < v->golden->count;
         k++) {
        const struct iss_retire *step = &v->golden->step[k];
        if (!step->csr_accessed) continue;
        if ((step->csr == CSR_SISELECT || step->csr == CSR_MISELECT) && step->csr_written) w->select = step->csr_value;
        const bool supervisor = step->csr >= CSR_SIREG && step->csr <= CSR_SIREG6;
        if (!supervisor && !(step->csr >= CSR_MIREG && step->csr <= CSR_MIREG6)) continue;
        const unsigned number = numbers[step->csr & 7];
        if ((w->select != 0x60 && w->select != 0x61) || number == 0) continue;
        const unsigned word = (unsigned)(w->select - 0x60) * 6 + number - 1;
        if (step->rd_written && word < INSTRUCTION_SAMPLE_WORDS) {
            w->software_words[word] = v->left->retired[k].rd_value;
            w->software_read |= 1u << word;
        }
        const bool writes = (step->insn >> 12 & 3) == 1;
        if (writes && word == 0) result = acknowledged(w, step->privilege, err);
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
    if (result == 0 && !w->ended && w->left_count - w->totalled > 1024 && !count_overlaps(w, false)) {
        error_set(err, "lives: out of memory: free some and run again");
        result = -ENOMEM;
    }
    return result;
}

static int begin(void *state, uint64_t now, struct error *err) {
    (void)err;
    struct lives_worker *w = state;
    w->begin = now;
    w->fetched = w->retired = 0;
    w->totalled = w->left_count;
    life_table_empty(w->table);
    return 0;
}

static int end(void *state, uint64_t now, struct error *err) {
    (void)now;
    (void)err;
    struct lives_worker *w = state;
    count_overlaps(w, true);
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
                  " apart, which is no sum of intervals of %" PRIu64 " to %" PRIu64,
                  w->numbers[i - 1], w->numbers[i], distance, least, most);
        return -EBADMSG;
    }
    return 0;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    (void)cycles;
    struct lives_worker *w = state;
    if (!w->ended) count_overlaps(w, true);
    if (!w->settings || !w->number_count) return 0;
    qsort(w->numbers, w->number_count, sizeof *w->numbers, by_number);
    return check_distances(w, err);
}

static void add_statistics(void *state, cJSON *statistics) {
    const struct lives_worker *w = state;
    cJSON *o = cJSON_AddObjectToObject(statistics, "lives");
    cJSON_AddNumberToObject(o, "records", (double)w->records);
    cJSON_AddNumberToObject(o, "software", (double)w->software);
    cJSON_AddNumberToObject(o, "fetched", (double)w->fetched);
    cJSON_AddNumberToObject(o, "retired", (double)w->retired);
    cJSON_AddNumberToObject(o, "distances", (double)w->number_count);
}

static void checked(void *state, char *text, size_t size) {
    snprintf(text, size, "%" PRIu64 " records of ProfileMe against every instruction's way",
             ((const struct lives_worker *)state)->records);
}

static const struct life_row *totals(void *state, size_t *count) {
    return life_table_rows(((struct lives_worker *)state)->table, count);
}

static void destroy(void *state) {
    struct lives_worker *w = state;
    lives_destroy(w->lives);
    life_table_destroy(w->table);
    free(w->numbers);
    free(w);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct lives_worker *w = calloc(1, sizeof *w);
    if (w) w->table = life_table_create();
    if (!w || !w->table) {
        free(w);
        error_set(err, "lives: out of memory: free some and run again");
        return NULL;
    }
    w->settings = run->profileme;
    w->lives = lives_create(run->width, run->fetch_width, left, w, err);
    if (w->lives) return w;
    destroy(w);
    return NULL;
}

const struct worker_ops worker_lives = {.name = "lives",
                                        .text =
                                            "every instruction from fetch until it retires or dies: holds ProfileMe's "
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
                                        .add_statistics = add_statistics,
                                        .checked = checked,
                                        .totals = totals,
                                        .destroy = destroy};
