// The likely error of a sampled profile, and the triggers it was sampled by: see sampling_error.h.
#include "report/sampling_error.h"
#include "report/style.h"

// Whether distances are random. A program's own counter (period 0) does not say.
static bool random_triggers(const struct samples_header *h) {
    return h->period && h->jitter_bits && !h->golden;
}

struct sampling_error sampling_error_of(const struct confidence *c) {
    return (struct sampling_error){confidence_by_chance(c), !random_triggers(confidence_data(c)->header)};
}

void sampling_error_words(const struct confidence *by_instruction, const struct confidence *by_function, char *text,
                          size_t size) {
    const struct sampling_error e = sampling_error_of(by_instruction);
    const int n = snprintf(text, size, "%s %.1f %% of the time is booked to a wrong instruction",
                           e.at_least ? "at least" : "about", 100 * e.part);
    if (!by_function || n < 0 || (size_t)n >= size) return;
    snprintf(text + n, size - (size_t)n, ", %.1f %% to a wrong function", 100 * sampling_error_of(by_function).part);
}

void sampling_triggers_words(const struct samples_header *h, char *text, size_t size) {
    char n[32];
    style_number(h->period, n);
    if (!h->period) {
        snprintf(text, size, "as the program's own counter overflowed");
    } else if (h->golden && !h->jitter_bits) {
        snprintf(text, size, "one every %s cycles, or one more, by the golden ratio", n);
    } else if (h->jitter_bits) {
        snprintf(text, size, "one every %s cycles on average, %s by less than 2^%u", n,
                 h->golden ? "moved by the golden ratio" : "jittered", h->jitter_bits);
    } else {
        snprintf(text, size, "one every %s cycles, without jitter", n);
    }
}
