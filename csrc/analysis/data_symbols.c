// What lies where in memory, of a program of the bare machine: its data symbols, its sections where no symbol covers an
// address, its stacks and its heap.
#include "analysis/program_internal.h"
#include "base/array.h"
#include "base/bisect.h"
#include "base/plain_text.h"
#include "machine/bootrom.h"
#include "memory_map.h"
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 256 }; // bytes of a section's name

struct datum {
    uint64_t start, bytes; // 0 bytes: up to the next one
    char *name;
    int rank; // of several at one address the greatest names it
};
struct data_symbols {
    Elf *elf; // the module's
    struct datum *list;
    size_t count, capacity;
    uint64_t heap; // UINT64_MAX: not known where it begins
};

// In the place of thread-local data without a file's bytes other sections have theirs.
static bool is_memory(const GElf_Shdr *header) {
    return header->sh_flags & SHF_ALLOC && !(header->sh_flags & SHF_TLS && header->sh_type == SHT_NOBITS);
}

static bool is_data(Elf *elf, GElf_Word section) {
    GElf_Shdr header;
    Elf_Scn *scn = section == SHN_UNDEF || section >= SHN_LORESERVE ? NULL : elf_getscn(elf, section);
    return scn && gelf_getshdr(scn, &header) && is_memory(&header) && !(header.sh_flags & SHF_EXECINSTR);
}

// A label without a type and a size may be the linker's, of a place and not of data.
static bool names_data(const GElf_Sym *symbol) {
    const unsigned type = GELF_ST_TYPE(symbol->st_info);
    return type == STT_OBJECT || (type == STT_NOTYPE && symbol->st_size);
}

static bool add(struct data_symbols *s, const GElf_Sym *symbol, uint64_t address, const char *name) {
    const unsigned binding = GELF_ST_BIND(symbol->st_info);
    char *shown = name_demangled(name);
    if (!shown || !array_reserve(&s->list, &s->capacity, s->count, sizeof *s->list)) {
        free(shown);
        return false;
    }
    s->list[s->count++] = (struct datum){.start = address,
                                         .bytes = symbol->st_size,
                                         .name = shown,
                                         .rank = binding == STB_LOCAL  ? 0
                                                 : binding == STB_WEAK ? 1
                                                                       : 2};
    return true;
}

// The best of an address is the last.
static int compare(const void *x, const void *y) {
    const struct datum *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    const size_t bytes[] = {strlen(a->name), strlen(b->name)};
    if (bytes[0] != bytes[1]) return bytes[0] > bytes[1] ? -1 : 1;
    return strcmp(b->name, a->name);
}

static bool read_symbols(struct data_symbols *s, Dwfl_Module *module) {
    const int count = dwfl_module_getsymtab(module); // negative: none
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        Elf *elf;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, NULL);
        if (!name || !*name) continue;
        if (strcmp(name, "__heap_start") == 0 && section != SHN_UNDEF) s->heap = address;
        if (!elf || !is_data(elf, section) || !names_data(&symbol)) continue;
        if (!add(s, &symbol, address, name)) return false;
    }
    if (s->count) qsort(s->list, s->count, sizeof *s->list, compare);
    return true;
}

struct data_symbols *data_symbols_create(Dwfl_Module *module) {
    struct data_symbols *s = calloc(1, sizeof *s);
    GElf_Addr bias;
    if (!s) return NULL;
    s->heap = UINT64_MAX;
    s->elf = module ? dwfl_module_getelf(module, &bias) : NULL;
    if (!module || read_symbols(s, module)) return s;
    data_symbols_destroy(s);
    return NULL;
}

void data_symbols_destroy(struct data_symbols *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++)
        free(s->list[i].name);
    free(s->list);
    free(s);
}

// Where the linker has put what is loaded there.
static uint64_t linked(Elf *elf, uint64_t address) {
    GElf_Phdr header;
    size_t count;
    if (elf_getphdrnum(elf, &count) != 0) return address;
    for (size_t i = 0; i < count; i++) {
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD && address - header.p_paddr < header.p_memsz)
            return address - header.p_paddr + header.p_vaddr;
    }
    return address;
}

// NULL: in none. *start: where the section begins.
static const char *section_at(Elf *elf, uint64_t address, uint64_t *start) {
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0) return NULL;
    while ((section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || !is_memory(&header) || address - header.sh_addr >= header.sh_size)
            continue;
        *start = header.sh_addr;
        return elf_strptr(elf, names, header.sh_name);
    }
    return NULL;
}

static bool begins_by(const void *entry, const void *address) {
    return ((const struct datum *)entry)->start <= *(const uint64_t *)address;
}

// NULL: none. One may lie inside another. section: where the address's begins.
static const struct datum *find(const struct data_symbols *s, uint64_t address, uint64_t section) {
    const size_t behind = bisect(s->list, s->count, sizeof *s->list, begins_by, &address);
    for (size_t i = behind; i-- > 0 && s->list[i].start >= section;) {
        const struct datum *one = &s->list[i];
        if (one->bytes ? address - one->start < one->bytes : one->start == s->list[behind - 1].start) return one;
    }
    return NULL;
}

bool data_symbols_name(const struct data_symbols *s, uint64_t address, char *text, size_t size) {
    char shown[SHOWN], behind[32] = "";
    uint64_t start = 0;
    const uint64_t at = s->elf ? linked(s->elf, address) : address;
    const char *section = s->elf ? section_at(s->elf, at, &start) : NULL;
    const struct datum *one = section ? find(s, at, start) : NULL;
    if (one) {
        if (at != one->start) snprintf(behind, sizeof behind, "+0x%llx", (unsigned long long)(at - one->start));
        plain_fit(text, size, one->name, behind);
    } else if (section && strncmp(section, ".stack", strlen(".stack")) == 0) {
        snprintf(text, size, "[stack]");
    } else if (section) {
        plain_put(shown, sizeof shown, section);
        snprintf(text, size, "[%s+0x%llx]", shown, (unsigned long long)(at - start));
    } else if (address - BOOTROM_BASE < BOOTROM_BYTES) {
        snprintf(text, size, "[boot ROM]");
    } else if (at >= s->heap) {
        snprintf(text, size, "[heap]");
    } else {
        return false;
    }
    return true;
}
