// Binary records of fixed size, a cycle each or several equal ones, as a layout says where they have what (layout.h).
#ifndef TIPOFF_IMPORT_FIELDS_H
#define TIPOFF_IMPORT_FIELDS_H

#include "import/layout.h"
#include "import/watch.h"

// Shows the watch all cycles of the file, from the first one's on. 0, or a negative errno with err, which names the
// record. A file that ends in the midst, or is damaged from somewhere on, is read up to there: *fault (512 bytes) says
// so, else it is "". *bytes: read, as unpacked.
int fields_read(const char *path, const struct layout *layout, struct watch *watch, char *fault, uint64_t *bytes,
                struct error *err);

#endif
