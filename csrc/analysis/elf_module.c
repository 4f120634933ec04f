// An ELF file as libdwfl sees it: with the symbols and the debug information of its separate debug file, if it has one.
// That is looked for by build id and by .gnu_debuglink: in the file's folder, in .debug below it, in `debug_dir`, in
// /usr/lib/debug.
#include "analysis/program_internal.h"
#include <stdio.h>
#include <stdlib.h>

struct elf_module {
    Dwfl_Callbacks callbacks;
    char *debug_path; // list of folders
    Dwfl *dwfl;
    Dwfl_Module *module;
};

struct elf_module *elf_module_open(const char *path, const char *debug_dir) {
    struct elf_module *m = calloc(1, sizeof *m);
    char *real = realpath(path, NULL), *folder = debug_dir ? realpath(debug_dir, NULL) : NULL;
    if (m && asprintf(&m->debug_path, ":.debug%s%s:/usr/lib/debug", folder ? ":" : "", folder ? folder : "") >= 0) {
        m->callbacks = (Dwfl_Callbacks){.find_elf = dwfl_build_id_find_elf,
                                        .find_debuginfo = dwfl_standard_find_debuginfo,
                                        .debuginfo_path = &m->debug_path};
        m->dwfl = dwfl_begin(&m->callbacks);
    }
    if (m && m->dwfl) {
        dwfl_report_begin(m->dwfl);
        m->module = dwfl_report_elf(m->dwfl, "", real ? real : path, -1, 0, true);
        dwfl_report_end(m->dwfl, NULL, NULL);
    } else {
        elf_module_close(m);
        m = NULL;
    }
    free(real);
    free(folder);
    return m;
}

void elf_module_close(struct elf_module *m) {
    if (!m) return;
    if (m->dwfl) dwfl_end(m->dwfl);
    free(m->debug_path);
    free(m);
}

Dwfl_Module *elf_module_dwfl(const struct elf_module *m) {
    return m->module;
}
