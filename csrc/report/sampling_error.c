// The likely error of a sampled profile, and the triggers it was sampled by: see sampling_error.h.
#include "report/sampling_error.h"
#include "report/beats.h"
#include "report/contexts.h"
#include "report/style.h"
#include "report/words.h"
#include <math.h>

#define KNOWN_ENOUGH 0.9 // of the time in loops whose rounds are known

struct sampling_error sampling_error_of(const struct confidence *c) {
    const double chance = fmax(confidence_by_chance(c), confidence_unseen(c));
    const struct beats *beats = confidence_beats(c);
    if (!beats_possible(confidence_data(c)->header)) return (struct sampling_error){chance, false};
    if (!beats) return (struct sampling_error){chance, true};
    const double error = fmax(beats->error + chance * (1 - beats->share), chance);
    return (struct sampling_error){error, beats->known < KNOWN_ENOUGH};
}

void sampling_error_words(const struct confidence *by_instruction, const struct confidence *by_function, char *text,
                          size_t size) {
    const struct sampling_error e = sampling_error_of(by_instruction);
    snprintf(text, size, "%s %.1f %% of the time is booked to a wrong instruction", e.at_least ? "at least" : "about",
             100 * e.part);
    if (by_function)
        words_append(text, size, ", %.1f %% to a wrong function", 100 * sampling_error_of(by_function).part);
}

bool sampling_error_step_words(const struct confidence *c, char *text, size_t size) {
    const struct beats *beats = confidence_beats(c);
    char place[REPORT_SHOWN], samples[32], worth[32];
    if (!beats || 2 * beats->worst_draws >= beats->worst_samples) return false; // none, or hardly
    report_label(confidence_data(c), BY_INSTRUCTION, beats->worst, place, sizeof place);
    snprintf(
        text, size,
        "triggers keep step with the loop at %s, which comes round every %.0f cycles: its %s samples are worth %s; "
        "random distances (the default of --jitter) do not",
        place, beats->worst_length, style_number((uint64_t)beats->worst_samples, samples),
        style_number((uint64_t)(beats->worst_draws + 0.5), worth));
    return true;
}

void sampling_triggers_words(const struct samples_header *h, char *text, size_t size) {
    char n[32];
    style_number(h->sampling.period, n);
    if (!h->sampling.period) {
        snprintf(text, size, "as the program's own counter overflowed");
    } else if (h->sampling.golden && !h->sampling.jitter_bits) {
        snprintf(text, size, "one every %s cycles, or one more, by the golden ratio", n);
    } else if (h->sampling.jitter_bits) {
        snprintf(text, size, "one every %s cycles on average, %s by less than 2^%u", n,
                 h->sampling.golden ? "moved by the golden ratio" : "jittered", h->sampling.jitter_bits);
    } else {
        snprintf(text, size, "one every %s cycles, without jitter", n);
    }
}
