// Collapsed stacks, gathered: equal ones add up, whatever frames they come from, and each is written once: a line of
// its frames, root first, separated by ;, and its weight. Frames that stacks share are held once.
#ifndef TIPOFF_REPORT_FOLDED_H
#define TIPOFF_REPORT_FOLDED_H

#include "report/json_text.h"

struct folded;
struct folded *folded_create(void);         // NULL: no memory
void folded_destroy(struct folded *f);      // NULL is fine
#define FOLDED_LEFT_OUT "[frames left out]" // the frame that stands for those of a stack that is too deep
#define FOLDED_ROOT STRING_NONE             // what the outermost frame stands on
// A number of the name, for folded_on. What ends a frame or a line, ; and line ends, becomes a colon.
uint32_t folded_name(struct folded *f, const char *name);
// The stack of this one and a frame more. Both give STRING_NONE where there is no memory, now or before; folded_write
// then reports it.
uint32_t folded_on(struct folded *f, uint32_t stack, uint32_t name);
void folded_add(struct folded *f, uint32_t stack, uint64_t weight);
bool folded_write(const struct folded *f, FILE *out); // those with a weight; false: no memory, now or before

#endif
