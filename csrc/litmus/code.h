// Labels of a thread's code, while it is read. Not for other folders.
#ifndef TIPOFF_LITMUS_CODE_H
#define TIPOFF_LITMUS_CODE_H

#include "litmus/reader.h"

enum { CODE_LABELS = 32 };
struct code_label {
    const char *name; // in the text
    size_t bytes;
    int target; // the number of the instruction after it; -1: not known yet
};
struct code_labels {
    struct code_label list[CODE_LABELS];
    unsigned count;
};

#endif
