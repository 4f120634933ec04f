// What a library has to say beside its result: warnings and news, one line each. Its caller chooses where they go.
#ifndef TIPOFF_BASE_NOTICES_H
#define TIPOFF_BASE_NOTICES_H

struct notices {
    void (*show)(void *context, const char *line); // as soon as there is one; without an end of line
    void *context;
};

// notices may be NULL: the line is dropped. It is made plain (base/plain_text.h), since it holds names of files and of
// functions; it is as long as they are.
__attribute__((format(printf, 2, 3))) void notice(const struct notices *notices, const char *format, ...);
// The same behind "warning: ".
__attribute__((format(printf, 2, 3))) void warning(const struct notices *notices, const char *format, ...);

#endif
