// Error texts are formatted here, and cut to fit.
#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>

void error_set(struct error *err, const char *format, ...) {
    if (!err) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
}
