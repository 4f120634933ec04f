// An ELF file as libdwfl sees it: with the symbols and the debug information of its separate debug file, if it has one.
// That is looked for by build id and by .gnu_debuglink: in the file's folder, in .debug below it, in `debug_dir`, in
// /usr/lib/debug.
#include "analysis/program_internal.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct elf_module {
    Dwfl_Callbacks callbacks;
    char *debug_path; // list of folders
    char *lack;
    int debug_file; // in the place of the one that libdwfl finds; -1: none
    Dwfl *dwfl;
    Dwfl_Module *module;
};

// libdwfl has opened what its own search finds, and stays with it: this one's comes in its place. *user_data: the
// elf_module. libdwfl closes the file.
static int use_debug_file(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                          const char *file_name, const char *debuglink, GElf_Word crc, char **found) {
    struct elf_module *m = *user_data;
    const int fd = m->debug_file;
    (void)module, (void)name, (void)base, (void)file_name, (void)debuglink, (void)crc, (void)found;
    m->debug_file = -1;
    return fd;
}

// A copy of the debug file with its sections decompressed, or -1.
static int unpack(struct elf_module *m, const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const int copy = file < 0 ? -1 : debug_sections_unpack(file, &m->lack);
    if (file >= 0) close(file);
    return copy;
}

// libdwfl gets a copy with the sections decompressed, or the file itself; -1 has it look at the path, which is the
// same.
static bool report_file(struct elf_module *m, int file, const char *path) {
    int copy = debug_sections_unpack(file, &m->lack);
    if (copy < 0) copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
    m->callbacks = (Dwfl_Callbacks){.find_elf = dwfl_build_id_find_elf,
                                    .find_debuginfo = m->debug_file < 0 ? dwfl_standard_find_debuginfo : use_debug_file,
                                    .debuginfo_path = &m->debug_path};
    m->dwfl = dwfl_begin(&m->callbacks);
    if (m->dwfl) {
        void **user_data;
        dwfl_report_begin(m->dwfl);
        m->module = dwfl_report_elf(m->dwfl, "", path, copy, 0, true); // takes the copy over
        if (m->module && dwfl_module_info(m->module, &user_data, NULL, NULL, NULL, NULL, NULL, NULL)) *user_data = m;
        dwfl_report_end(m->dwfl, NULL, NULL);
    }
    if (copy >= 0 && !m->module) close(copy);
    return m->dwfl != NULL;
}

// Looks once more where libelf cannot read the existing debug file.
static bool open_module(struct elf_module *m, int file, const char *path) {
    const char *main_file = NULL, *debug_file = NULL;
    Dwarf_Addr bias;
    if (!report_file(m, file, path)) return false;
    if (!m->module || dwfl_module_getdwarf(m->module, &bias)) return true;
    dwfl_module_info(m->module, NULL, NULL, NULL, NULL, NULL, &main_file, &debug_file);
    m->debug_file = debug_file ? unpack(m, debug_file) : -1;
    if (m->debug_file < 0) return true;
    dwfl_end(m->dwfl);
    m->module = NULL;
    return report_file(m, file, path);
}

struct elf_module *elf_module_open(int file, const char *path, const char *debug_dir) {
    struct elf_module *m = calloc(1, sizeof *m);
    char *real = realpath(path, NULL), *folder = debug_dir ? realpath(debug_dir, NULL) : NULL;
    bool good = false;
    if (m) {
        m->debug_file = -1;
        good = asprintf(&m->debug_path, ":.debug%s%s:/usr/lib/debug", folder ? ":" : "", folder ? folder : "") >= 0;
        if (!good) m->debug_path = NULL;
    }
    if (!good || !open_module(m, file, real ? real : path)) {
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
    if (m->debug_file >= 0) close(m->debug_file);
    free(m->debug_path);
    free(m->lack);
    free(m);
}

Dwfl_Module *elf_module_dwfl(const struct elf_module *m) {
    return m->module;
}

const char *elf_module_lack(const struct elf_module *m) {
    return m->lack;
}
