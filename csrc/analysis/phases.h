// Whether triggers keep step with a loop: what they are worth as independent draws.
//
// A loop whose rounds take equally long is at the same place whenever as many cycles of a round have passed: the phase
// of a trigger, its cycle modulo the length, says which instruction it finds. Triggers that go evenly, or at random,
// through all phases find each instruction as often as it has time. Triggers that keep step find few phases, and more
// of them do not help. Of N triggers, where each pair has the same phase with probability s, where chance would have
// 1/L,
//
//     N / (1 + (N - 1) (s - 1/L) / (1 - 1/L))
//
// are independent (the design effect of a sample in clusters: Kish, Survey Sampling, section 5.4): 1 where all have one
// phase. Only pairs of one visit to the loop count: a round that is entered again begins at any phase.
//
// The length is known within bounds, from the loop's time and the number of its rounds. Each whole number of cycles
// within them, and each that 2 to 4 rounds may have together, is tried. That pairs of one phase find the same
// instruction more often than other pairs do identifies the right one: a round that takes now more, now fewer cycles
// is not met in step, whatever its mean is. Where all triggers find the same instruction nothing decides, and the
// length that is met most in step is taken.
#ifndef TIPOFF_ANALYSIS_PHASES_H
#define TIPOFF_ANALYSIS_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct phase_trigger {
    uint64_t cycle;
    uint32_t found; // which instruction (or other unit), by number
    uint32_t visit; // number of the visit to the loop; does not fall
};

struct phases {
    uint32_t length; // cycles in which the loop comes round, 1 to 4 times, with which the triggers keep step; 0: none
    double draws;    // independent draws that the triggers are worth: as many as there are, or fewer
};
enum { PHASES_ROUNDS = 4, PHASES_LENGTHS = 1024, PHASES_LONGEST = 1 << 16 };
// shortest, longest: bounds of a round's length in cycles. Of fewer rounds together where more than PHASES_LENGTHS
// lengths would have to be tried, or one longer than PHASES_LONGEST; *tried false: of one round, too, and nothing is
// said. What is found in the first quarter of each visit is left out: those rounds wait for
// code and data. False: no memory.
bool phases_judge(const struct phase_trigger *list, size_t count, double shortest, double longest, bool *tried,
                  struct phases *result);

#endif
