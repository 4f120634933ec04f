// The instructions of a trace as their writer shows them: the text of each address, and where straight code begins.
#ifndef TIPOFF_IMPORT_TEXTS_H
#define TIPOFF_IMPORT_TEXTS_H

#include "import/import.h"
#include "results.h"

enum { TEXT_BYTES = 64 }; // with its end; the rest of a text is left out
struct texts;
struct texts *texts_create(void);    // NULL: no memory
void texts_destroy(struct texts *t); // NULL is fine
// Of each life, in any order: the first text of an address counts. At most a million addresses. False: no memory.
bool texts_add(struct texts *t, uint64_t pc, const char *text);
// Of those that retire, in order: what follows a branch or a jump begins straight code.
void texts_retire(struct texts *t, const struct import_life *life);
bool texts_publish(struct texts *t, struct results *r); // by address. False: no memory

#endif
