// Error texts are formatted here, and cut to fit.
#include "base/error.h"
#include "base/plain_text.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void error_set(struct error *err, const char *format, ...) {
    if (!err) return;
    va_list arguments;
    va_start(arguments, format);
    char text[sizeof err->text];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    plain_put(err->text, sizeof err->text, text); // it holds names of files and of functions
}

int error_nomem(struct error *err, const char *who) {
    error_set(err, "%s%sout of memory", who ? who : "", who ? ": " : "");
    return -ENOMEM;
}

void *error_calloc(size_t bytes, const char *who, struct error *err) {
    void *memory = calloc(1, bytes);
    if (!memory) error_nomem(err, who);
    return memory;
}
