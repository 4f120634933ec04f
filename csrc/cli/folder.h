// Where tipoff keeps what it was built with. Not for other libraries.
#ifndef TIPOFF_CLI_FOLDER_H
#define TIPOFF_CLI_FOLDER_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

// The folder of the configurations and workloads: the one above the program's own. False with err: /proc is not
// mounted.
bool folder_find(char *out, size_t size, struct error *err);
// The file of the page of HTML reports, whether it exists or not, in `path`; NULL: as above.
const char *folder_page(char *path, size_t size);

#endif
