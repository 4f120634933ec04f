// The rule that chooses, block by block, between EBS and LBR: a decision tree, as a table (tables/hbbp.tsv).
#ifndef TIPOFF_METHODS_HBBP_RULE_H
#define TIPOFF_METHODS_HBBP_RULE_H

#include "methods/hbbp/hbbp.h"

// What a rule may ask of a block. Instructions of a class count once each, however often they are executed.
enum hbbp_feature {
    FEATURE_LENGTH,  // its instructions
    FEATURE_BIAS,    // 1: biased
    FEATURE_SAMPLES, // EBS samples of it
    FEATURE_STREAMS, // LBR streams through it
    FEATURE_LOADS,
    FEATURE_STORES,
    FEATURE_LONG,        // multiplications, divisions, floating point
    FEATURE_CONDITIONAL, // 1: it ends with a conditional branch
    HBBP_FEATURES
};
#define HBBP_FEATURE_NAMES "length", "bias", "samples", "streams", "loads", "stores", "long", "conditional"

enum { RULE_NODES = 64, RULE_EBS = -1, RULE_LBR = -2 };
struct rule_node {
    enum hbbp_feature feature;
    double at_most;
    int then, otherwise; // a later node, or RULE_EBS or RULE_LBR
};
struct rule {
    char name[64];
    struct rule_node nodes[RULE_NODES];
    unsigned count;
};

// The rule of that name in the table. False with err: no such file or rule, or one that is no tree.
bool rule_read(struct rule *rule, const char *path, const char *name, struct error *err);
bool rule_chooses_lbr(const struct rule *rule, const double features[HBBP_FEATURES]);
void hbbp_features(const struct code *c, uint32_t block, const struct hbbp_block *found,
                   double features[HBBP_FEATURES]);

#endif
