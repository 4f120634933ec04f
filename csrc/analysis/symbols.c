// What names code in an ELF file: its symbols, or its separate debug file's, or the dynamic ones where there are no
// others, and the entries of a PLT, which have none of their own: each is named by the relocation of the word through
// which it jumps.
#include "analysis/program_internal.h"
#include "base/array.h"
#include "base/bisect.h"
#include "base/bytes.h"
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes the symbol's name over. False: no memory.
static bool add(struct code_symbols *s, const struct code_symbol *symbol) {
    if (!symbol->name || !array_reserve(&s->list, &s->capacity, s->count, sizeof *s->list)) {
        free(symbol->name);
        return false;
    }
    s->list[s->count++] = *symbol;
    return true;
}

static bool add_mark(struct code_symbols *s, uint64_t address, bool data) {
    if (!array_reserve(&s->marks, &s->mark_capacity, s->mark_count, sizeof *s->marks)) return false;
    s->marks[s->mark_count] = (struct code_mark){address, s->mark_count, data};
    s->mark_count++;
    return true;
}

// Whether a symbol of that section, of the file or of its separate debug file, names code at its address.
static bool is_code(Elf *elf, GElf_Word section, uint64_t address) {
    GElf_Shdr header;
    Elf_Scn *scn = section == SHN_UNDEF || section >= SHN_LORESERVE ? NULL : elf_getscn(elf, section);
    return scn && gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR &&
           address - header.sh_addr < header.sh_size;
}

// Mapping symbols (RISC-V ELF psABI) say where instructions and data begin: $d, $x, $xrv64..., each with or without a
// dot and more after it. They have no type: a function may be called so, too.
static bool is_mark(const GElf_Sym *symbol, const char *name) {
    if (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE || name[0] != '$') return false;
    if (name[1] != 'x' && name[1] != 'd') return false;
    return name[2] == '\0' || name[2] == '.' || (name[1] == 'x' && strncmp(name + 2, "rv", 2) == 0);
}

// Of names for one address a function's goes before a label's, then the one that other files see before the one that
// they see if there is no other, and that before a file's own.
static int rank_of(const GElf_Sym *symbol, bool function) {
    const unsigned binding = GELF_ST_BIND(symbol->st_info);
    return 4 * function + (binding == STB_LOCAL ? 1 : binding == STB_WEAK ? 2 : 3);
}

static bool add_of_symbol(struct code_symbols *s, const GElf_Sym *symbol, uint64_t address, const char *name,
                          const char *file) {
    const unsigned type = GELF_ST_TYPE(symbol->st_info);
    const bool local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL, function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if (is_mark(symbol, name)) return add_mark(s, address, name[1] == 'd');
    // Assembly without .type: a global label, or one with a size, starts a function, others are places inside one.
    if (!function && (type != STT_NOTYPE || (local && !symbol->st_size))) return true;
    const struct code_symbol found = {
        .start = address,
        .bytes = symbol->st_size,
        .name = strdup(name),
        .file = local && file && *file ? file : NULL,
        .rank = rank_of(symbol, function),
        .label = !function && !symbol->st_size,
    };
    return add(s, &found);
}

static bool add_of_module(struct code_symbols *s, Dwfl_Module *module) {
    const int count = dwfl_module_getsymtab(module); // negative: none
    const char *file = NULL;                         // the file of the local symbols after it
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        Elf *elf;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, NULL);
        if (name && GELF_ST_TYPE(symbol.st_info) == STT_FILE) file = name;
        if (!name || !*name || !elf || !is_code(elf, section, symbol.st_value)) continue;
        if (!add_of_symbol(s, &symbol, address, name, file)) return false;
    }
    return true;
}

// ---- the PLT ----
// The symbol whose address the loader puts into the word at `slot`, or NULL.
static const char *symbol_of_slot(Elf *elf, uint64_t slot) {
    Elf_Scn *section = NULL;
    GElf_Shdr header, table_header;
    while ((section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        Elf_Scn *table = elf_getscn(elf, header.sh_link);
        Elf_Data *symbols = table && gelf_getshdr(table, &table_header) ? elf_getdata(table, NULL) : NULL;
        GElf_Rela r;
        for (int i = 0; data && symbols && gelf_getrela(data, i, &r); i++) {
            GElf_Sym symbol;
            if (r.r_offset == slot && gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &symbol))
                return elf_strptr(elf, table_header.sh_link, symbol.st_name);
        }
    }
    return NULL;
}

// The word that an entry loads and jumps to: auipc t3, ...; ld t3, ...(t3).
static bool slot_of_entry(uint64_t pc, const uint8_t *code, uint64_t *slot) {
    enum { AUIPC_T3 = 0xe17, LD_T3_T3 = 0xe3e03 };
    const uint32_t auipc = (uint32_t)bytes_get(&code, 4), ld = (uint32_t)bytes_get(&code, 4);
    if ((auipc & 0xfff) != AUIPC_T3 || (ld & 0xfffff) != LD_T3_T3) return false;
    *slot = pc + (uint64_t)(int64_t)(int32_t)(auipc & 0xfffff000) + (uint64_t)((int64_t)(int32_t)ld >> 20);
    return true;
}

static bool add_of_plt(struct code_symbols *s, Elf *elf, Elf_Scn *section) {
    enum { ENTRY = 16 };
    GElf_Shdr header;
    size_t names;
    if (!gelf_getshdr(section, &header) || elf_getshdrstrndx(elf, &names) != 0) return true;
    const char *name = elf_strptr(elf, names, header.sh_name);
    Elf_Data *raw = elf_rawdata(section, NULL);
    if (!name || strncmp(name, ".plt", 4) != 0 || !raw || !raw->d_buf) return true;
    for (size_t at = 0; at + ENTRY <= raw->d_size; at += ENTRY) {
        uint64_t slot;
        char *text = NULL;
        if (!slot_of_entry(header.sh_addr + at, (const uint8_t *)raw->d_buf + at, &slot)) continue;
        const char *symbol = symbol_of_slot(elf, slot);
        if (!symbol || !*symbol) continue;
        if (asprintf(&text, "%s@plt", symbol) < 0) return false;
        if (!add(s, &(struct code_symbol){.start = header.sh_addr + at, .bytes = ENTRY, .name = text})) return false;
    }
    return true;
}

static int compare(const void *x, const void *y) {
    const struct code_symbol *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->rank != b->rank) return a->rank > b->rank ? -1 : 1;
    const size_t bytes[] = {strlen(a->name), strlen(b->name)};
    if (bytes[0] != bytes[1]) return bytes[0] < bytes[1] ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_marks(const void *x, const void *y) {
    const struct code_mark *a = x, *b = y;
    if (a->address != b->address) return a->address < b->address ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

// One name an address; its aliases know how long it is, if it does not.
static void keep_best(struct code_symbols *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        struct code_symbol *best = kept ? &s->list[kept - 1] : NULL;
        if (best && s->list[i].start == best->start) {
            if (s->list[i].bytes > best->bytes) best->bytes = s->list[i].bytes;
            best->label = best->label && s->list[i].label;
            free(s->list[i].name);
        } else {
            s->list[kept++] = s->list[i];
        }
    }
    s->count = kept;
}

bool code_symbols_find(Elf *elf, Dwfl_Module *module, struct code_symbols *s) {
    *s = (struct code_symbols){0};
    bool good = !module || add_of_module(s, module);
    Elf_Scn *section = NULL;
    while (good && (section = elf_nextscn(elf, section)))
        good = add_of_plt(s, elf, section);
    if (s->count) qsort(s->list, s->count, sizeof *s->list, compare);
    if (s->mark_count) qsort(s->marks, s->mark_count, sizeof *s->marks, compare_marks);
    keep_best(s);
    return good;
}

void code_symbols_free(struct code_symbols *s) {
    for (size_t i = 0; i < s->count; i++)
        free(s->list[i].name);
    free(s->list);
    free(s->marks);
    *s = (struct code_symbols){0};
}

static bool marked_by(const void *entry, const void *address) {
    return ((const struct code_mark *)entry)->address <= *(const uint64_t *)address;
}
size_t code_symbols_mark_behind(const struct code_symbols *s, uint64_t address) {
    return bisect(s->marks, s->mark_count, sizeof *s->marks, marked_by, &address);
}
