// The end of a run: statistics as JSON, profiles, and the closing lines.
#include "harness/summary.h"
#include "base/output.h"
#include "base/plain_json.h"
#include "harness/simulation.h"
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

static void add_level(cJSON *memory, const char *name, const struct cache_counts *counts) {
    char key[32];
    const struct {
        const char *what;
        uint64_t count;
    } rows[] = {{"reads", counts->reads}, {"writes", counts->writes}, {"misses", counts->misses}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(key, sizeof key, "%s_%s", name, rows[i].what);
        cJSON_AddNumberToObject(memory, key, (double)rows[i].count);
    }
}

static void add_memory(cJSON *o, const struct summary *s) {
    const struct memory_counts *counts = &s->memory;
    cJSON *memory = cJSON_AddObjectToObject(o, "memory");
    cJSON_AddNumberToObject(memory, "reads", (double)counts->reads);
    cJSON_AddNumberToObject(memory, "writes", (double)counts->writes);
    if (s->config->l2.kib) add_level(memory, "l2", &counts->l2);
    add_level(memory, "llc", &counts->llc);
    cJSON_AddNumberToObject(memory, "dram_reads", (double)counts->dram.reads);
    cJSON_AddNumberToObject(memory, "dram_writes", (double)counts->dram.writes);
    cJSON_AddNumberToObject(memory, "row_hits", (double)counts->dram.row_hits);
    cJSON_AddNumberToObject(memory, "row_misses", (double)counts->dram.row_misses);
    cJSON_AddNumberToObject(memory, "row_conflicts", (double)counts->dram.row_conflicts);
}

static void add_ideal(cJSON *o, const struct ideal *ideal) {
    if (!ideal || !ideal_predicts(ideal)) return;
    struct ideal_foresight differed = ideal_foresight(ideal);
    cJSON *object = cJSON_AddObjectToObject(o, "foresight_taken_back");
    cJSON_AddNumberToObject(object, "interrupts", (double)differed.interrupts);
    cJSON_AddNumberToObject(object, "unknowable_values", (double)differed.unknowable);
    cJSON_AddNumberToObject(object, "host_writes", (double)differed.host_writes);
}

static bool publish_totals(const struct summary *s, struct results *results) {
    return results_add_run_totals(results, &(struct run_totals){s->cycles, s->instructions}) &&
           results_add_lost_triggers(results, &(struct lost_triggers){s->sampling.lost});
}

static char *statistics_json(const struct summary *s, struct results *results) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "config", s->config->name);
    cJSON_AddStringToObject(o, "settings", s->config->settings);
    cJSON_AddStringToObject(o, "program", s->program);
    cJSON_AddNumberToObject(o, "status", s->status);
    cJSON_AddBoolToObject(o, "exited", s->exited);
    if (s->exited) cJSON_AddNumberToObject(o, "exit_code", (double)s->exit_code);
    cJSON_AddNumberToObject(o, "cycles", (double)s->cycles);
    cJSON_AddNumberToObject(o, "instructions", (double)s->instructions);
    cJSON_AddNumberToObject(o, "from_cycle", (double)s->from_cycle);
    cJSON_AddNumberToObject(o, "from_instruction", (double)s->from_instruction);
    if (s->to_cycle) cJSON_AddNumberToObject(o, "to_cycle", (double)s->to_cycle);
    cJSON_AddNumberToObject(o, "ipc", ratio((double)s->instructions, (double)s->cycles));
    cJSON_AddNumberToObject(o, "simulated_seconds", (double)s->cycles / (s->config->clock_mhz * 1e6));
    cJSON_AddNumberToObject(o, "wall_seconds", s->seconds);
    cJSON_AddNumberToObject(o, "khz", ratio((double)s->cycles, s->seconds) / 1e3);
    event_counters_add(o, s->counters);
    add_memory(o, s);
    add_ideal(o, s->ideal);
    cJSON_AddNumberToObject(o, "samples", (double)s->sampling.samples);
    if (s->sampling.partial) cJSON_AddNumberToObject(o, "partial_samples", (double)s->sampling.partial);
    cJSON_AddNumberToObject(o, "repeats", (double)s->sampling.repeats);
    cJSON_AddNumberToObject(o, "collisions", (double)s->sampling.lost);
    cJSON_AddNumberToObject(o, "triggers", (double)s->sampling.triggers);
    const double booked = (double)(s->sampling.samples + s->sampling.repeats); // Kish: as many draws of equal weight
    cJSON_AddNumberToObject(o, "effective_samples",
                            s->sampling.squares ? booked * booked / (double)s->sampling.squares : 0);
    cJSON *checks = cJSON_AddObjectToObject(o, "checks");
    cJSON_AddBoolToObject(checks, "passed", !s->failed);
    cJSON_AddNumberToObject(checks, "samples", (double)s->sampling.samples);
    const bool good = workers_publish(s->workers, results) &&
                      (!s->transfers || transfer_stacks_publish(s->transfers, results)) && publish_totals(s, results) &&
                      result_statistics_add(o, results);
    plain_json(o);
    char *text = good ? cJSON_Print(o) : NULL;
    cJSON_Delete(o);
    return text;
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
    struct worker_profile p;
    int result = 0;
    for (size_t i = 0; result == 0 && workers_profile(s->workers, i, &p); i++)
        result = samples_add_profile(writer, p.name, p.events, p.rows, p.count, err);
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

bool summary_write_files(const struct summary *summary, struct samples_writer *writer, const char *stats,
                         const char *profile, struct error *err) {
    struct results *results = results_create();
    char *json = results ? statistics_json(summary, results) : NULL;
    bool good = json != NULL;
    if (!json) error_nomem(err, "statistics");
    if (good && stats) {
        struct output *output = output_open(stats, err);
        if (output) fprintf(output_file(output), "%s\n", json);
        good = output && output_close(output, true, err) == 0;
    }
    if (good && profile) good = write_profile(summary, profile, err);
    if (writer)
        good = good && add_profiles(summary, writer, err) == 0 &&
               samples_add_results(writer, results, summary->hart, err) == 0 &&
               samples_add_statistics(writer, json, err) == 0;
    cJSON_free(json);
    results_destroy(results);
    return good;
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
    fprintf(out, "  %llu cycles, %llu instructions, IPC %.3f; %.2f s, %.1f kHz\n", (unsigned long long)s->cycles,
            (unsigned long long)s->instructions, ratio((double)s->instructions, (double)s->cycles), s->seconds,
            ratio((double)s->cycles, s->seconds) / 1e3);
    if (s->from_cycle)
        fprintf(out, "  measured from cycle %llu, after %llu instructions\n", (unsigned long long)s->from_cycle,
                (unsigned long long)s->from_instruction);
    if (s->to_cycle) fprintf(out, "  measured up to cycle %llu, not including it\n", (unsigned long long)s->to_cycle);
    workers_print(s->workers, s->cycles, out);
    if (s->sampling.triggers) {
        fprintf(out, "  %llu samples of %llu triggers (%llu repeats of a stalled instruction), %llu lost\n",
                (unsigned long long)s->sampling.samples, (unsigned long long)s->sampling.triggers,
                (unsigned long long)s->sampling.repeats, (unsigned long long)s->sampling.lost);
    }
    event_counters_print(s->counters, out);
    if (workers_check_anything(s->workers)) {
        fprintf(out, "  checked: %llu samples, ", (unsigned long long)s->sampling.samples);
        workers_print_checked(s->workers, out);
        fprintf(out, ": %s\n",
                !s->failed                     ? "all agree"
                : s->status == EXIT_DIFFERENCE ? "DIFFERENCE"
                                               : "no difference up to there");
    }
    if (s->counters->count && !workers_have(s->workers, "counters"))
        fputs("  not checked: the counts (worker counters, which needs lockstep)\n", out);
}
