// The host of a simulated machine: its consoles, what its program asks for by HTIF (machine/htif.h), and how the
// program has ended.
//
//   LOADS                     a checkpoint's state is being loaded: its clock stands still
//   SERVES                    the program runs
//   REFUSED, RESET            it has asked for what this host does not do
//   EXITED                    it has ended, with a code
//   SETTLES                   ... and its stores from before the end are being done: nothing else is served
#ifndef TIPOFF_HARNESS_HOST_H
#define TIPOFF_HARNESS_HOST_H

#include "base/elf.h"
#include "harness/model.h"
#include "machine/finisher.h"
#include "machine/host_files.h"
#include "machine/htif.h"
#include "machine/peripherals.h"

enum host_stage { HOST_LOADS, HOST_SERVES, HOST_REFUSED, HOST_RESET, HOST_EXITED, HOST_SETTLES };

struct host;
// argv: the program's arguments, its name first, ended by NULL; they and roots live on. input: a file that the console
// receives; NULL: nothing. NULL with err: it cannot be read, or there is no memory.
struct host *host_create(char *const *argv, const struct host_roots *roots, const char *input, struct error *err);
void host_destroy(struct host *h); // NULL is fine
// The program's two words, in that many bytes of memory; from: the checkpoint's state of them, NULL: none; loads: which
// code of its own loads. 0, or -EINVAL with err: they are no words of memory.
int host_find(struct host *h, const struct image *image, uint64_t memory, const struct htif *from, bool loads,
              struct error *err);

enum host_stage host_stage(const struct host *h);
bool host_exited(const struct host *h);     // EXITED or SETTLES
uint64_t host_code(const struct host *h);   // that it exited with, 47 bits
uint64_t host_tohost(const struct host *h); // address; 0: none
FILE *host_input(const struct host *h);     // NULL: nothing
struct console host_console(const struct host *h);
// Of REFUSED: what it has asked for.
void host_refusal(const struct host *h, const char *program, struct error *err);

// ---- inside the model's clock edge; `now` in cycles. True: the program has ended, or is refused ----
void host_begin(struct host *h, uint64_t now); // LOADS is over: its clock goes on from this cycle
bool host_tick(struct host *h, uint64_t now);
bool host_store(struct host *h, uint64_t addr, unsigned bytes, uint64_t data, uint64_t now);
bool host_power(struct host *h, const struct finisher *finisher); // software has written to the finisher
// The word of memory that it wants next; false: none. And: an access to that word, which memory has at `memory` (NULL:
// there is none); cached: *word is the cache's, and stays it. Whether *word is to be written.
bool host_wants(const struct host *h, uint64_t *addr);
bool host_writes(const struct host *h); // it may write to that word
bool host_access(struct host *h, void *memory, bool cached, uint64_t *word);

// A program ends with the commit of its store to tohost; older stores may still wait in the store queue, those to
// the console among them. They are done now, in cycles that nothing counts or watches; younger stores stay
// undone. False: one of them is never done. EXITED only; where there is no tohost, nothing waits.
bool host_settle(struct host *h, const struct model_api *api, struct model *model);

#endif
