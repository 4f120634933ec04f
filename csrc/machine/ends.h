// What can end a program's run by itself: its symbol tohost, or the test finisher where a symbol marks its use.
#ifndef TIPOFF_MACHINE_ENDS_H
#define TIPOFF_MACHINE_ENDS_H

#include "base/elf.h"
#include <stdbool.h>

// A program that ends its runs by the test finisher, and has no symbol tohost, has this one: the device's address.
#define FINISHER_SYMBOL "finisher"

// False with err where nothing of the program says that its run ends. A store to the finisher ends every run, but no
// file shows whether one comes: such a run needs a limit. options: those of the command that set one ("--max-insns").
bool ends_by_itself(const struct image *image, const char *options, struct error *err);

#endif
