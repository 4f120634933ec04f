// Reads a rule: a row a node, columns apart by tabs: rule, node, feature, at_most, then, else; nodes from 0 on, in
// order.
#include "methods/hbbp/rule.h"
#include "base/text_file.h"
#include "instructions.h"
#include "isa/rvc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const feature_names[] = {HBBP_FEATURE_NAMES};
static const struct insn_info rows[] = {INSN_INFO_ROWS};

enum { COLUMNS = 6 };

// A place to go on: a method, or a node that is still to come, so that every rule ends.
static bool way(const char *text, unsigned node, int *to) {
    char *end;
    if (strcmp(text, "EBS") == 0) return *to = RULE_EBS, true;
    if (strcmp(text, "LBR") == 0) return *to = RULE_LBR, true;
    const long n = strtol(text, &end, 10);
    *to = (int)n;
    return end != text && *end == '\0' && n > (long)node && n < RULE_NODES;
}

static bool add_node(struct rule *rule, char *columns[COLUMNS]) {
    char *end, number[16];
    struct rule_node *node = &rule->nodes[rule->count];
    unsigned f = 0;
    snprintf(number, sizeof number, "%u", rule->count);
    while (f < HBBP_FEATURES && strcmp(columns[2], feature_names[f]) != 0)
        f++;
    node->feature = (enum hbbp_feature)f;
    node->at_most = strtod(columns[3], &end);
    const bool good = rule->count < RULE_NODES && strcmp(columns[1], number) == 0 && f < HBBP_FEATURES &&
                      end != columns[3] && *end == '\0' && way(columns[4], rule->count, &node->then) &&
                      way(columns[5], rule->count, &node->otherwise);
    rule->count += good;
    return good;
}

static bool split(char *line, char *columns[COLUMNS]) {
    unsigned n = 0;
    for (char *column = strsep(&line, "\t"); column; column = strsep(&line, "\t"))
        if (n++ < COLUMNS) columns[n - 1] = column;
    return n == COLUMNS;
}

static bool whole(const struct rule *rule) {
    for (unsigned i = 0; i < rule->count; i++)
        if (rule->nodes[i].then >= (int)rule->count || rule->nodes[i].otherwise >= (int)rule->count) return false;
    return rule->count > 0;
}

bool rule_read(struct rule *rule, const char *path, const char *name, struct error *err) {
    struct text_file file;
    char *line, *columns[COLUMNS];
    bool good = true;
    if (!text_file_open(&file, path, TEXT_FILE_MOST, "run make, or name another table with --rules", err)) return false;
    *rule = (struct rule){.count = 0};
    snprintf(rule->name, sizeof rule->name, "%s", name);
    while (good && (line = text_file_line(&file))) {
        if (*line == '#' || *line == '\0' || strncmp(line, "rule\t", 5) == 0) continue;
        good = split(line, columns);
        if (good && strcmp(columns[0], name) != 0) continue;
        good = good && rule->count < RULE_NODES && add_node(rule, columns);
        if (!good)
            error_set(err,
                      "%s:%u: no node: write rule, node (from 0 on), feature, at_most, then and else (LBR, EBS or a "
                      "later node), apart by tabs",
                      path, file.line);
    }
    text_file_close(&file);
    if (good && !whole(rule)) {
        good = false;
        error_set(err,
                  rule->count ? "%s: rule '%s' goes on at a missing node: add it"
                              : "%s: has no rule '%s': name one of its first column",
                  path, name);
    }
    return good;
}

bool rule_chooses_lbr(const struct rule *rule, const double features[HBBP_FEATURES]) {
    int at = 0;
    while (at >= 0) {
        const struct rule_node *node = &rule->nodes[at];
        at = features[node->feature] <= node->at_most ? node->then : node->otherwise;
    }
    return at == RULE_LBR;
}

void hbbp_features(const struct code *c, uint32_t block, const struct hbbp_block *found,
                   double features[HBBP_FEATURES]) {
    const struct code_block *b = &c->blocks[block];
    memset(features, 0, HBBP_FEATURES * sizeof *features);
    features[FEATURE_LENGTH] = b->count;
    features[FEATURE_BIAS] = found->biased;
    features[FEATURE_SAMPLES] = (double)found->samples;
    features[FEATURE_STREAMS] = (double)found->streams;
    features[FEATURE_CONDITIONAL] = b->conditional;
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const uint32_t bits = c->instructions[i].insn;
        const struct insn_info *row = &rows[insn_decode(insn_word(bits))];
        features[FEATURE_LOADS] += row->unit == UNIT_LOAD || row->unit == UNIT_AMO;
        features[FEATURE_STORES] += row->unit == UNIT_STORE || row->unit == UNIT_AMO;
        features[FEATURE_LONG] += row->unit == UNIT_MUL || row->unit == UNIT_DIV || row->unit == UNIT_FP;
    }
}
