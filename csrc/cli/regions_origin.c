// Copies, since a file of regions owns its texts: regions_origin.h.
#include "cli/regions_origin.h"
#include <stdlib.h>
#include <string.h>

// Of the program's arguments, after its name.
static char **copies(char *const *argv) {
    size_t count = 0;
    while (argv && argv[0] && argv[count + 1])
        count++;
    char **const list = count ? calloc(count + 1, sizeof(char *)) : NULL;
    for (size_t i = 0; list && i < count; i++)
        list[i] = strdup(argv[i + 1]);
    return list;
}

void regions_origin(struct regions_file *f, const struct iss_program *p, const char *method, const char *digest) {
    *f = (struct regions_file){.program = strdup(iss_program_path(p)),
                               .digest = strdup(digest),
                               .method = strdup(method),
                               .input = p->input ? strdup(p->input) : NULL,
                               .restore = p->restore ? strdup(p->restore) : NULL,
                               .arguments = copies(p->argv),
                               .harts = p->harts ? p->harts : 1,
                               .quantum = p->quantum};
}
