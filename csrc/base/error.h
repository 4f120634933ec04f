// Error text: one line that names the file (or the thing), the fault and the remedy.
#ifndef TIPOFF_BASE_ERROR_H
#define TIPOFF_BASE_ERROR_H

#include <stddef.h>

struct error {
    char text[512];
};

// err may be NULL: the text is dropped. Longer text is cut.
__attribute__((format(printf, 2, 3))) void error_set(struct error *err, const char *format, ...);

// "who: out of memory", or that alone where who is NULL. Returns -ENOMEM.
int error_nomem(struct error *err, const char *who);
// Zeroed memory of `bytes`, which the caller frees. NULL with err, as of error_nomem.
void *error_calloc(size_t bytes, const char *who, struct error *err);

#endif
