// Whole numbers as people read them: 1234567 is "1,234,567".
#ifndef TIPOFF_BASE_GROUPED_H
#define TIPOFF_BASE_GROUPED_H

#include <stdint.h>

enum { GROUPED_TEXT = 27 }; // bytes of the longest, its end among them
// In `text`, which it returns.
static inline const char *grouped(char text[GROUPED_TEXT], uint64_t number) {
    char *at = text + GROUPED_TEXT - 1;
    unsigned digits = 0;
    *at = '\0';
    do {
        if (digits && digits % 3 == 0) *--at = ',';
        *--at = (char)('0' + number % 10);
        digits++;
    } while (number /= 10);
    char *out = text; // to the front
    while ((*out++ = *at++))
        ;
    return text;
}

#endif
