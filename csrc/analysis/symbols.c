// What names code in an ELF file: its symbols, or its separate debug file's, or the dynamic ones where there are no
// others, and the entries of a PLT, which have none of their own: each is named by the relocation of the word through
// which it jumps.
#include "analysis/program_internal.h"
#include "base/bytes.h"
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes the name over. False: no memory.
static bool add(struct code_symbols *s, uint64_t start, uint64_t bytes, char *name, int rank) {
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 64;
        struct code_symbol *grown = name ? realloc(s->list, capacity * sizeof *grown) : NULL;
        if (!grown) {
            free(name);
            return false;
        }
        s->list = grown;
        s->capacity = capacity;
    }
    if (name) s->list[s->count++] = (struct code_symbol){start, bytes, name, rank};
    return name != NULL;
}

// Whether a symbol of that section, of the file or of its separate debug file, names code at its address.
static bool is_code(Elf *elf, GElf_Word section, uint64_t address) {
    GElf_Shdr header;
    Elf_Scn *scn = section == SHN_UNDEF || section >= SHN_LORESERVE ? NULL : elf_getscn(elf, section);
    return scn && gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR &&
           address - header.sh_addr < header.sh_size;
}

static bool add_of_module(struct code_symbols *s, Dwfl_Module *module) {
    const int count = dwfl_module_getsymtab(module); // negative: none
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        Elf *elf;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, NULL);
        if (!name || !*name || *name == '$' || !elf || !is_code(elf, section, symbol.st_value)) continue;
        bool function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC, global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL;
        // Assembly without .type: a global label starts a function, a local one is a place inside one.
        bool label = GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE && global;
        if (!(function || label)) continue;
        if (!add(s, address, symbol.st_size, strdup(name), 2 * function + global)) return false;
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
        if (!add(s, header.sh_addr + at, ENTRY, text, 0)) return false;
    }
    return true;
}

static int compare(const void *x, const void *y) {
    const struct code_symbol *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->rank != b->rank) return a->rank > b->rank ? -1 : 1;
    return strcmp(a->name, b->name);
}

bool code_symbols_find(Elf *elf, Dwfl_Module *module, struct code_symbols *s) {
    *s = (struct code_symbols){0};
    bool good = !module || add_of_module(s, module);
    Elf_Scn *section = NULL;
    while (good && (section = elf_nextscn(elf, section)))
        good = add_of_plt(s, elf, section);
    if (s->count) qsort(s->list, s->count, sizeof *s->list, compare);
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (kept && s->list[i].start == s->list[kept - 1].start) {
            free(s->list[i].name);
        } else {
            s->list[kept++] = s->list[i];
        }
    }
    s->count = kept;
    return good;
}

void code_symbols_free(struct code_symbols *s) {
    for (size_t i = 0; i < s->count; i++)
        free(s->list[i].name);
    free(s->list);
    *s = (struct code_symbols){0};
}
