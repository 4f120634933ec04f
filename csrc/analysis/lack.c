// What of a program's debug information cannot be read, in a line.
#include "analysis/program_internal.h"
#include "base/plain_text.h"
#include <stdio.h>

void program_lack_find(const struct elf_module *module, const struct debug_info *debug, const char *path,
                       char *lack_text, size_t size) {
    const char *section = elf_module_lack(module);
    char text[PROGRAM_LACK] = ""; // with names from the file
    const struct debug_lack lack = debug_info_lack(debug);
    if (section) {
        snprintf(text, sizeof text,
                 "%s: section %.64s cannot be decompressed: lines and inlined calls lack; compress it with zlib "
                 "(objcopy --compress-debug-sections=zlib)",
                 path, section);
    } else if (lack.units) {
        snprintf(text, sizeof text,
                 "%s: %s is missing (split debug information, %zu file%s in all): inlined calls lack; put it beside "
                 "the program, or build without -gsplit-dwarf",
                 path, lack.file, lack.units, lack.units == 1 ? "" : "s");
    } else if (lack.lengths) {
        snprintf(text, sizeof text,
                 "%s: %zu .dwo file%s no lengths of code, which the assembler left to the linker: some inlined calls "
                 "lack; build without -gsplit-dwarf",
                 path, lack.lengths, lack.lengths == 1 ? " has" : "s have");
    }
    plain_put(lack_text, size, text);
}
