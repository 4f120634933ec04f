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
    f->program = strdup(iss_program_path(p));
    f->digest = strdup(digest);
    f->method = strdup(method);
    f->input = p->input ? strdup(p->input) : NULL;
    f->restore = p->restore ? strdup(p->restore) : NULL;
    f->arguments = copies(p->argv);
    f->harts = p->harts ? p->harts : 1;
    f->quantum = p->quantum;
}
