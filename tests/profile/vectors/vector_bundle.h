// A line of a golden vector as the record that observers are fed.
#ifndef TIPOFF_PROFILE_VECTOR_BUNDLE_H
#define TIPOFF_PROFILE_VECTOR_BUNDLE_H

#include "records.h"
#include "vectors.h"

static inline struct commit_bundle vector_bundle(const struct vector_cycle *c) {
    struct commit_bundle b = {.valid = (uint8_t)c->valid,
                              .commit = (uint8_t)c->commit,
                              .mispredict = (uint8_t)c->mispredict,
                              .flush = (uint8_t)c->flush,
                              .first = (uint8_t)c->begins,
                              .oldest = (uint8_t)c->oldest,
                              .rob_empty = c->empty,
                              .exception = c->exception,
                              .interrupt = c->interrupt,
                              .replay = c->replay,
                              .exception_pc = c->exception_pc,
                              .exception_psv = (uint16_t)c->exception_psv,
                              .redirect = c->redirect,
                              .fetch_valid = c->fetch,
                              .fetch_pc = c->fetch_pc,
                              .dispatch_valid = (uint8_t)c->dispatch,
                              .dispatch_rob = (uint16_t)c->dispatch_rob};
    for (unsigned i = 0; i < VECTOR_LANES; i++) {
        b.pc[i] = c->pc[i];
        b.psv[i] = (uint16_t)c->psv[i];
        b.dispatch_pc[i] = c->dispatch_pc[i];
    }
    return b;
}

#endif
