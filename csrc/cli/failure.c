// The command that goes on from a failure: see failure.h.
#include "cli/failure.h"
#include "cli/command_line.h"
#include <stdio.h>

static void add_word(char **words, int *count, const char *option, const char *value) {
    if (!value) return;
    words[(*count)++] = (char *)option;
    words[(*count)++] = (char *)value;
}

void failure_replay(const struct simulation_options *o, const char *config, char *out, size_t size) {
    char run[] = "run", period[24], bits[24], seed[24], *words[2 * (SETTINGS_MOST + HOST_ROOTS) + 24];
    int count = 0;
    words[count++] = run;
    snprintf(period, sizeof period, "%llu", (unsigned long long)o->sampling.period);
    if (o->sampling.jitter_bits) {
        snprintf(bits, sizeof bits, "--jitter=%u", o->sampling.jitter_bits);
    } else {
        snprintf(bits, sizeof bits, "--jitter=none");
    }
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->sampling.seed);
    add_word(words, &count, "--config", config);
    add_word(words, &count, "--model", o->model_named ? o->model_path : NULL);
    for (size_t i = 0; i < o->set_count; i++)
        add_word(words, &count, "--set", o->set[i]);
    add_word(words, &count, "--input", o->input);
    for (size_t i = 0; i < o->file_roots.count; i++)
        add_word(words, &count, "--file-root", o->file_roots.folders[i]);
    add_word(words, &count, "--period", o->sampling.period ? period : o->sampling.follow_program ? "program" : NULL);
    if (o->sampling.golden) add_word(words, &count, "--jitter-kind", o->sampling.jitter_bits ? "golden" : "fractional");
    if (o->sampling.period && (o->sampling.jitter_bits || !o->sampling.golden)) words[count++] = bits;
    add_word(words, &count, "--seed", o->sampling.seed != 1 ? seed : NULL);
    add_word(words, &count, "--restore", o->failure_checkpoint);
    command_line(count, words, out, size);
}
