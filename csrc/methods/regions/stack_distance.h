// LRU stack distances of lines: how many other lines were accessed since a line was last accessed (Mattson et al., IBM
// Systems Journal 1970), and their histogram, the LDV of BarrierPoint (Carlson et al., ISPASS 2014) and Viper (Sabu's
// thesis, 4.3.2).
#ifndef TIPOFF_METHODS_REGIONS_STACK_DISTANCE_H
#define TIPOFF_METHODS_REGIONS_STACK_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stack_distance; // one stack of lines
#define STACK_DISTANCE_COLD UINT64_MAX

struct stack_distance *stack_distance_create(void); // empty; NULL: no memory
void stack_distance_destroy(struct stack_distance *s);
// Accesses a line (any number): its distance, 0 for the line that was accessed last; STACK_DISTANCE_COLD for one that
// never was. Logarithmic in the number of lines. Where memory is short the line is cold, and `whole` is false.
uint64_t stack_distance_access(struct stack_distance *s, uint64_t line);
bool stack_distance_whole(const struct stack_distance *s);

// Buckets of a histogram: distance 0; then 1, 2 to 3, 4 to 7 and so on; the last one is cold accesses.
enum { STACK_DISTANCE_COLD_BUCKET = 33, STACK_DISTANCE_BUCKETS };
static inline size_t stack_distance_bucket(uint64_t distance) {
    if (distance == STACK_DISTANCE_COLD) return STACK_DISTANCE_COLD_BUCKET;
    return distance ? 64 - (size_t)__builtin_clzll(distance) : 0; // there are fewer than 2^32 lines
}

#endif
