// Formats a line, makes it plain, and hands it to whoever shows it.
#include "base/notices.h"
#include "base/plain_text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Without memory for it there is no line: the caller reports that itself.
__attribute__((format(printf, 3, 0))) static void show(const struct notices *notices, const char *kind,
                                                       const char *format, va_list arguments) {
    char *text = NULL, *line = NULL;
    if (!notices) return;
    if (vasprintf(&text, format, arguments) < 0) return;
    char *plain = plain_text(text);
    free(text);
    if (plain && asprintf(&line, "%s%s", kind, plain) >= 0) {
        notices->show(notices->context, line);
        free(line);
    }
    free(plain);
}

void notice(const struct notices *notices, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    show(notices, "", format, arguments);
    va_end(arguments);
}

void warning(const struct notices *notices, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    show(notices, "warning: ", format, arguments);
    va_end(arguments);
}
