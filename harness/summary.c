// The end of a run: its results, statistics and profiles as files, and the closing lines.
#include "harness/summary.h"
#include "base/grouped.h"
#include "base/output.h"
#include "base/plain_json.h"
#include "harness/simulation.h"
#include "profile/result_merge.h"
#include "profile/result_statistics.h"
#include "results.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {STATE_NAMES};

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

static bool publish_end(const struct summary *s, struct results *r) {
    return results_add_run_outcome(r, &(struct run_outcome){(uint32_t)s->status, s->exited}) &&
           (!s->exited || results_add_exit_code(r, &(struct exit_code){s->exit_code}));
}

static bool publish_length(const struct summary *s, struct results *r) {
    const struct run_totals totals = {s->cycles, s->instructions, s->from_cycle, s->from_instruction};
    const struct run_speed speed = {.ipc = ratio((double)s->instructions, (double)s->cycles),
                                    .simulated_seconds = (double)s->cycles / (s->config->clock_mhz * 1e6),
                                    .wall_seconds = s->seconds,
                                    .khz = ratio((double)s->cycles, s->seconds) / 1e3};
    return results_add_run_totals(r, &totals) &&
           (!s->to_cycle || results_add_run_end(r, &(struct run_end){s->to_cycle})) && results_add_run_speed(r, &speed);
}

static bool publish_memory(const struct summary *s, struct results *r) {
    const struct memory_counts *m = &s->memory;
    const struct llc_accesses llc = {m->llc.reads,   m->llc.writes,    m->llc.misses,      m->dram.reads,
                                     m->dram.writes, m->dram.row_hits, m->dram.row_misses, m->dram.row_conflicts};
    return results_add_memory_accesses(r, &(struct memory_accesses){m->reads, m->writes}) &&
           (!s->config->l2.kib ||
            results_add_l2_accesses(r, &(struct l2_accesses){m->l2.reads, m->l2.writes, m->l2.misses})) &&
           results_add_llc_accesses(r, &llc);
}

static bool publish_ideal(const struct ideal *ideal, struct results *r) {
    if (!ideal || !ideal_predicts(ideal)) return true;
    const struct ideal_foresight differed = ideal_foresight(ideal);
    return results_add_foresight(r,
                                 &(struct foresight){differed.interrupts, differed.unknowable, differed.host_writes});
}

static bool publish_sampling(const struct summary *s, struct results *r) {
    const struct sampler_counts *c = &s->sampling;
    const double booked = (double)(c->samples + c->repeats); // Kish: as many draws of equal weight
    const double effective = c->squares ? booked * booked / (double)c->squares : 0;
    return results_add_samples_taken(r, &(struct samples_taken){c->samples}) &&
           (!c->partial || results_add_partial_samples(r, &(struct partial_samples){c->partial})) &&
           results_add_repeated_triggers(r, &(struct repeated_triggers){c->repeats}) &&
           results_add_lost_triggers(r, &(struct lost_triggers){c->lost}) &&
           results_add_sample_triggers(r, &(struct sample_triggers){c->triggers, effective}) &&
           results_add_run_checked(r, &(struct run_checked){!s->failed, c->samples});
}

// Of the run alone, or of its part in one of several harts, whose memory is counted with the first one. NULL: no
// memory.
static struct results *publish(const struct summary *s, bool alone) {
    struct results *r = results_create();
    if (r && publish_end(s, r) && (!alone || publish_length(s, r)) && event_counters_publish(s->counters, r) &&
        (!(alone || s->hart == 0) || publish_memory(s, r)) && publish_ideal(s->ideal, r) && publish_sampling(s, r) &&
        workers_publish(s->workers, r) && (!s->transfers || transfer_stacks_publish(s->transfers, r)))
        return r;
    results_destroy(r);
    return NULL;
}

static void add_parts(cJSON *o, const struct together *harts) {
    cJSON_AddNumberToObject(o, "harts", harts->count);
    cJSON_AddNumberToObject(o, "hart_cycles", (double)harts->cycles);
    cJSON *parts = cJSON_AddArrayToObject(o, "by_hart");
    for (unsigned i = 0; i < harts->count; i++) {
        cJSON *part = cJSON_CreateObject();
        cJSON_AddNumberToObject(part, "hart", i);
        cJSON_AddNumberToObject(part, "cycles", (double)harts->parts[i].cycles);
        cJSON_AddNumberToObject(part, "instructions", (double)harts->parts[i].instructions);
        cJSON_AddNumberToObject(part, "ipc",
                                ratio((double)harts->parts[i].instructions, (double)harts->parts[i].cycles));
        cJSON_AddItemToArray(parts, part);
    }
}

// What the header of a sample file says as well, then the results. harts: they stand for all of these; NULL: for one.
static int write_statistics(const struct summary *s, const struct results *results, const struct together *harts,
                            const char *path, struct error *err) {
    struct output *output = output_open(path, err);
    if (!output) return -EIO;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "config", s->config->name);
    cJSON_AddStringToObject(o, "settings", s->config->settings);
    cJSON_AddStringToObject(o, "program", s->program);
    if (harts) add_parts(o, harts);
    const bool good = result_statistics_add(o, results);
    plain_json(o);
    char *text = good ? cJSON_Print(o) : NULL;
    if (text) fprintf(output_file(output), "%s\n", text);
    const int result = output_close(output, text, err);
    const bool known = text;
    cJSON_free(text);
    cJSON_Delete(o);
    return known ? result : error_nomem(err, "statistics");
}

static const struct profile_row *oracle_rows(const struct summary *s, size_t *count) {
    struct worker_profile profile;
    for (size_t i = 0; workers_profile(s->workers, i, &profile); i++) {
        if (strcmp(profile.name, "Oracle") != 0) continue;
        *count = profile.count;
        return profile.rows;
    }
    *count = 0;
    return NULL;
}

static int add_profiles(const struct summary *s, struct samples_writer *writer, struct error *err) {
    const unsigned all = (1u << machine_config_events(s->config)) - 1; // events that this core has
    struct worker_profile p;
    int result = 0;
    for (size_t i = 0; result == 0 && workers_profile(s->workers, i, &p); i++)
        result = samples_add_profile(writer, p.name, (uint16_t)(p.events & all), p.rows, p.count, err);
    return result;
}

// Whether the rows belong to several modes or address spaces.
static bool has_contexts(const struct profile_row *rows, size_t count) {
    const struct profile_row *first = NULL;
    for (size_t i = 0; rows && i < count; i++) {
        if (rows[i].pc == PROFILE_PC_END) continue;
        if (first && first->context != rows[i].context) return true;
        first = &rows[i];
    }
    return false;
}

// Of all rows from `first` up to *next that differ in their call stack alone.
static uint64_t weight_of(const struct profile_row *rows, size_t first, size_t count, size_t *next) {
    const struct profile_row *a = &rows[first];
    uint64_t weight = 0;
    for (*next = first; *next < count; ++*next) {
        const struct profile_row *b = &rows[*next];
        if (!place_equal(row_place(a), row_place(b)) || a->state != b->state || a->psv != b->psv) break;
        weight += b->weight;
    }
    return weight;
}

static bool write_profile(const struct summary *s, const char *path, struct error *err) {
    size_t count;
    const struct profile_row *rows = oracle_rows(s, &count);
    struct output *output = output_open(path, err);
    if (!output) return false;
    FILE *file = output_file(output);
    const bool contexts = has_contexts(rows, count);
    fprintf(file, "# U=%u cycles=%llu\npc,state,psv,weight%s\n", machine_config_units(s->config),
            (unsigned long long)s->cycles, contexts ? ",mode,space" : "");
    for (size_t i = 0, next; rows && i < count; i = next) {
        const uint64_t weight = weight_of(rows, i, count, &next);
        if (rows[i].pc == SAMPLES_PC_END) {
            fputs("end of run", file);
        } else {
            fprintf(file, "0x%llx", (unsigned long long)rows[i].pc);
        }
        fprintf(file, ",%s,%u,%llu", state_names[rows[i].state], rows[i].psv, (unsigned long long)weight);
        if (contexts)
            fprintf(file, ",%c,0x%llx", MODE_LETTERS[place_mode(rows[i].context)],
                    (unsigned long long)place_space(rows[i].context));
        fputc('\n', file);
    }
    return output_close(output, true, err) == 0;
}

// ---- of several harts together ----
void together_destroy(struct together *t) {
    results_destroy(t->results);
    t->results = NULL;
}

bool together_add(struct together *t, const struct summary *s, struct error *err) {
    struct results *part = publish(s, false);
    if (!part) return error_nomem(err, "results"), false;
    t->parts[t->count++] = (struct together_part){s->cycles, s->instructions};
    t->cycles += s->cycles;
    t->instructions += s->instructions;
    if (!t->results) {
        t->config = s->config;
        t->results = part;
        return true;
    }
    const bool good = results_merge(t->results, part, err);
    results_destroy(part);
    return good;
}

// They end together: their time is the longest one's.
bool together_write(const struct together *t, const struct summary *last, const char *path, struct error *err) {
    struct summary all = *last;
    for (unsigned i = 0; i < t->count; i++)
        all.cycles = t->parts[i].cycles > all.cycles ? t->parts[i].cycles : all.cycles;
    all.config = t->config;
    all.instructions = t->instructions;
    all.from_instruction = 0;
    if (publish_length(&all, t->results)) return write_statistics(&all, t->results, t, path, err) == 0;
    error_nomem(err, "results");
    return false;
}

bool summary_write_files(const struct summary *summary, struct samples_writer *writer, const char *stats,
                         const char *profile, struct error *err) {
    struct results *results = publish(summary, true);
    bool good = results;
    if (!good) error_nomem(err, "results");
    if (good && stats) good = write_statistics(summary, results, NULL, stats, err) == 0;
    if (good && profile) good = write_profile(summary, profile, err);
    if (writer)
        good = good && add_profiles(summary, writer, err) == 0 &&
               samples_add_results(writer, results, summary->hart, err) == 0;
    results_destroy(results);
    return good;
}

static void print_length(const struct summary *s, FILE *out) {
    char cycles[GROUPED_TEXT], instructions[GROUPED_TEXT];
    uint64_t checked;
    if (s->failed && workers_stopped(s->workers, &checked))
        fprintf(out, "  checked up to cycle %s; the model has gone on to:\n", grouped(cycles, checked));
    fprintf(out, "  %s cycles, %s instructions, IPC %.3f; %.2f s, %.1f kHz\n", grouped(cycles, s->cycles),
            grouped(instructions, s->instructions), ratio((double)s->instructions, (double)s->cycles), s->seconds,
            ratio((double)s->cycles, s->seconds) / 1e3);
    if (s->from_cycle)
        fprintf(out, "  measured from cycle %s, after %s instructions\n", grouped(cycles, s->from_cycle),
                grouped(instructions, s->from_instruction));
    if (s->to_cycle) fprintf(out, "  measured up to cycle %s, not including it\n", grouped(cycles, s->to_cycle));
}

static void print_samples(const struct sampler_counts *c, FILE *out) {
    char samples[GROUPED_TEXT], triggers[GROUPED_TEXT], repeats[GROUPED_TEXT], lost[GROUPED_TEXT];
    if (!c->triggers) return;
    fprintf(out, "  %s samples of %s triggers (%s repeats of a stalled instruction), %s lost\n",
            grouped(samples, c->samples), grouped(triggers, c->triggers), grouped(repeats, c->repeats),
            grouped(lost, c->lost));
}

void summary_print(const struct summary *s, FILE *out) {
    fprintf(out, "%s on %s%s%s: ", s->program, s->config->name, s->config->settings[0] ? " with " : "",
            s->config->settings);
    if (s->failed) {
        fputs(s->status == EXIT_DIFFERENCE ? "stopped by a check\n" : "stopped by an error\n", out);
    } else if (s->exited) {
        fprintf(out, "exit %llu", (unsigned long long)s->exit_code);
        if (s->exit_code > 255) fprintf(out, " (status %d: a process has at most 255)", s->status);
        fputc('\n', out);
    } else {
        fprintf(out, "%s%s\n", s->interrupted ? "interrupted" : "still running at ", s->interrupted ? "" : s->limit);
    }
    print_length(s, out);
    workers_print(s->workers, s->cycles, out);
    print_samples(&s->sampling, out);
    event_counters_print(s->counters, out);
    if (workers_check_anything(s->workers)) {
        char samples[GROUPED_TEXT];
        fprintf(out, "  checked: %s samples, ", grouped(samples, s->sampling.samples));
        workers_print_checked(s->workers, out);
        fprintf(out, ": %s\n",
                !s->failed                     ? "all agree"
                : s->status == EXIT_DIFFERENCE ? "DIFFERENCE"
                                               : "no difference up to there");
    }
    if (s->counters->count && !workers_have(s->workers, "counters"))
        fputs("  not checked: the counts (worker counters, which needs lockstep)\n", out);
}
