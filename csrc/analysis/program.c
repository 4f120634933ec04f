// The program's structure. Read once, in this order: bytes of the executable sections, functions from the symbols (and
// from the gaps between them), instructions by walking each function, basic blocks from the branches among them.
#include "analysis/analysis.h"
#include "analysis/program_internal.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/elf.h"
#include "isa/control.h"
#include "machine/bootrom.h"
#include "memory_map.h"
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BOOTROM_CODE_BYTES = 20 }; // five instructions; what follows is data

// The bytes of a section, and what its symbols say of them.
struct code {
    const struct code_symbols *symbols; // NULL: they are all instructions
    uint64_t base;
    const uint8_t *data;               // at `base`
    const struct program_kind *listed; // has the instructions of a foreign program; NULL: they are decoded
};

// ---- functions ----
static bool add_instruction(struct program *p, const struct code *code, uint64_t pc, uint64_t end, bool data) {
    const uint8_t *at = code->data + (pc - code->base);
    const uint32_t low = at[0] | (uint32_t)at[1] << 8;
    const bool wide = (low & 3) == 3 && pc + 4 <= end;
    if (!array_reserve(&p->instructions, &p->capacity, p->count, sizeof *p->instructions)) return false;
    p->instructions[p->count++] = (struct program_instruction){.pc = pc,
                                                               .insn = wide ? (uint32_t)bytes_get(&at, 4) : low,
                                                               .function = (uint32_t)p->function_count - 1,
                                                               .bytes = wide ? 4 : 2,
                                                               .data = data || (!wide && (low & 3) == 3)};
    return true;
}

// From each mark on the walk restarts: data may have any length.
static bool add_instructions(struct program *p, const struct code *code, uint64_t start, uint64_t end) {
    const struct code_symbols *s = code->symbols;
    size_t mark = s ? code_symbols_mark_behind(s, start) : 0;
    bool data = mark && s->marks[mark - 1].address >= code->base && s->marks[mark - 1].data;
    for (uint64_t pc = start; pc < end;) {
        const uint64_t next = s && mark < s->mark_count && s->marks[mark].address < end ? s->marks[mark].address : end;
        while (pc + 2 <= next) {
            if (!add_instruction(p, code, pc, next, data)) return false;
            pc += p->instructions[p->count - 1].bytes;
        }
        for (pc = next; s && mark < s->mark_count && s->marks[mark].address == pc; mark++)
            data = s->marks[mark].data;
    }
    return true;
}

struct program_function *program_add_function(struct program *p, char *symbol, const char *file, uint64_t entry,
                                              uint64_t start, uint64_t end) {
    char *name = symbol ? name_demangled(symbol) : NULL;
    if (!name || !array_reserve(&p->functions, &p->function_capacity, p->function_count, sizeof *p->functions)) {
        free(symbol);
        free(name);
        return NULL;
    }
    struct program_function *f = &p->functions[p->function_count++];
    *f = (struct program_function){
        .name = name, .symbol = symbol, .file = file, .entry = entry, .start = start, .end = end, .first = p->count};
    return f;
}

static bool add_function(struct program *p, const struct code *code, char *symbol, const char *file, uint64_t entry,
                         uint64_t start, uint64_t end) {
    struct program_function *f = program_add_function(p, symbol, file, entry, start, end);
    if (!f) return false;
    struct listed_into into = {&p->instructions, &p->count, &p->capacity, (uint32_t)p->function_count - 1};
    if (!(code->listed ? listed_add(&into, code->listed, start, end) : add_instructions(p, code, start, end)))
        return false;
    f->count = p->count - f->first;
    return true;
}

static bool add_gap(struct program *p, const struct code *code, const char *section, uint64_t start, uint64_t end) {
    char *name = NULL;
    if (asprintf(&name, "[%s+0x%llx]", section, (unsigned long long)(start - code->base)) < 0) return false;
    return add_function(p, code, name, NULL, start, start, end);
}

static bool add_section(struct program *p, const struct code_symbols *symbols, Elf_Scn *section,
                        const GElf_Shdr *header, const char *name, const struct program_kind *kind) {
    Elf_Data *raw = elf_rawdata(section, NULL);
    if (!raw || !raw->d_buf || raw->d_size < header->sh_size || header->sh_addr + header->sh_size < header->sh_addr)
        return true;
    const struct code code = {symbols, header->sh_addr, raw->d_buf, p->foreign ? kind : NULL};
    struct function_extents extents;
    bool good = function_extents_find(&extents, symbols, header->sh_addr, header->sh_addr + header->sh_size);
    for (size_t i = 0; good && i < extents.count; i++) {
        const struct function_extent *e = &extents.list[i];
        good = e->symbol ? add_function(p, &code, strdup(e->symbol->name), e->symbol->file, e->symbol->start, e->start,
                                        e->end)
                         : add_gap(p, &code, name, e->start, e->end);
    }
    free(extents.list);
    return good;
}

static bool add_sections(struct program *p, Elf *elf, const struct program_kind *kind) {
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0) return true;
    Elf_Scn *section = NULL;
    struct code_symbols symbols;
    bool good = code_symbols_find(elf, elf_module_dwfl(p->module), &symbols);
    while (good && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header)) continue;
        if (!(header.sh_flags & SHF_EXECINSTR) || header.sh_type != SHT_PROGBITS || header.sh_size == 0) continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        good = add_section(p, &symbols, section, &header, name ? name : "code", kind);
    }
    code_symbols_free(&symbols);
    return good;
}

static bool add_bootrom(struct program *p, uint64_t entry) {
    uint8_t *rom = calloc(1, BOOTROM_BYTES);
    if (rom) bootrom_write(rom, entry, true, DRAM_BYTES);
    const struct code code = {NULL, BOOTROM_BASE, rom, NULL};
    bool good = rom && add_function(p, &code, strdup("[boot ROM]"), NULL, BOOTROM_BASE, BOOTROM_BASE,
                                    BOOTROM_BASE + BOOTROM_CODE_BYTES);
    free(rom);
    return good;
}

static int compare_instructions(const void *x, const void *y) {
    const struct program_instruction *a = x, *b = y;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}
static int compare_functions(const void *x, const void *y) {
    const struct program_function *a = x, *b = y;
    return a->start < b->start ? -1 : a->start > b->start;
}

void program_sort(struct program *p) {
    qsort(p->instructions, p->count, sizeof *p->instructions, compare_instructions);
    qsort(p->functions, p->function_count, sizeof *p->functions, compare_functions);
    size_t first = 0;
    for (size_t f = 0; f < p->function_count; f++) {
        p->functions[f].first = first;
        for (size_t i = first; i < first + p->functions[f].count; i++)
            p->instructions[i].function = (uint32_t)f;
        first += p->functions[f].count;
    }
}

static bool find_blocks(struct program *p) {
    bool *leader = calloc(p->count + 1, sizeof *leader);
    if (!leader) return false;
    for (size_t f = 0; f < p->function_count; f++)
        leader[p->functions[f].first] = true;
    for (size_t i = 0; i < p->count; i++) {
        uint64_t target;
        if (p->foreign && p->instructions[i].block) leader[i] = true;
        if (i && p->instructions[i].data != p->instructions[i - 1].data) leader[i] = true;
        if (p->instructions[i].data) continue;
        if (control_ends_block(p->instructions[i].insn)) leader[i + 1] = true;
        if (!control_target(p->instructions[i].pc, p->instructions[i].insn, &target)) continue;
        size_t at = program_find(p, target);
        if (at != PROGRAM_NONE) leader[at] = true;
    }
    for (size_t i = 0, block = 0; i < p->count; i++) {
        if (leader[i]) block = i;
        p->instructions[i].block = (uint32_t)block;
    }
    free(leader);
    return true;
}

// Of the open file, and what its image says of it.
static struct program *load(int fd, const char *path, const struct image *image, const struct program_kind *kind) {
    struct program *p = calloc(1, sizeof *p);
    bool good = false;
    if (p && (p->module = elf_module_open(fd, path, kind->debug_dir))) {
        elf_version(EV_CURRENT);
        snprintf(p->build_id, sizeof p->build_id, "%s", image_build_id(image));
        snprintf(p->digest, sizeof p->digest, "%s", image_digest(image));
        p->foreign = image_foreign(image);
        const bool bare = !kind->guest && !p->foreign;
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        good = elf && (!bare || add_bootrom(p, image_entry(image))) && add_sections(p, elf, kind);
        elf_end(elf);
        if (good) program_sort(p);
        good = good && function_names_tell_apart(p->functions, p->function_count) && find_blocks(p) &&
               (p->debug = debug_info_create(elf_module_dwfl(p->module))) &&
               (!bare || (p->data = data_symbols_create(elf_module_dwfl(p->module))));
        if (good) program_lack_find(p->module, p->debug, path, p->lack, sizeof p->lack);
    }
    if (good) return p;
    program_destroy(p);
    return NULL;
}

// What another core ran may be of any machine, and lie anywhere.
static enum image_kind read_as(const struct program_kind *kind) {
    return kind->listed ? IMAGE_FOREIGN : kind->guest ? IMAGE_SYMBOLS : IMAGE_WHOLE;
}

struct program *program_load_as(const char *path, const struct program_kind *kind, struct error *err) {
    const int fd = image_open(path, err);
    struct image *image =
        fd >= 0 ? image_read(fd, path, read_as(kind), err) : NULL; // says what is wrong with a bad file
    struct program *p = image ? load(fd, path, image, kind) : NULL;
    if (image && !p) error_nomem(err, path);
    image_destroy(image);
    if (fd >= 0) close(fd);
    return p;
}

struct program *program_load(const char *path, struct error *err) {
    return program_load_as(path, &(struct program_kind){.guest = false}, err);
}

struct program *program_load_guest(const char *path, struct error *err) {
    return program_load_as(path, &(struct program_kind){.guest = true}, err);
}

void program_destroy(struct program *p) {
    if (!p) return;
    debug_info_destroy(p->debug);
    data_symbols_destroy(p->data);
    elf_module_close(p->module);
    for (size_t i = 0; i < p->function_count; i++) {
        free((void *)p->functions[i].name);
        free((void *)p->functions[i].symbol);
    }
    free(p->functions);
    free(p->instructions);
    free(p);
}

const char *program_lack(const struct program *p) {
    return *p->lack ? p->lack : NULL;
}
const char *program_build_id(const struct program *p) {
    return p->build_id;
}
const char *program_digest(const struct program *p) {
    return p->digest;
}

const struct program_instruction *program_instructions(const struct program *p, size_t *count) {
    *count = p->count;
    return p->instructions;
}
const struct program_function *program_functions(const struct program *p, size_t *count) {
    *count = p->function_count;
    return p->functions;
}

size_t program_find(const struct program *p, uint64_t pc) {
    const struct program_instruction key = {.pc = pc};
    const struct program_instruction *at =
        p->count ? bsearch(&key, p->instructions, p->count, sizeof key, compare_instructions) : NULL;
    return at ? (size_t)(at - p->instructions) : PROGRAM_NONE;
}

const struct program_function *program_function_at(const struct program *p, uint64_t pc) {
    const size_t at = program_find(p, pc);
    return at == PROGRAM_NONE ? NULL : &p->functions[p->instructions[at].function];
}

const char *program_source(const struct program *p, uint64_t pc, unsigned *line) {
    return debug_info_line(p->debug, pc, line);
}
size_t program_inlines(const struct program *p, uint64_t pc, struct program_inline *calls, size_t size) {
    return debug_info_inlines(p->debug, pc, calls, size);
}

bool program_data(const struct program *p, uint64_t address, char *text, size_t size) {
    return p->data && data_symbols_name(p->data, address, text, size);
}
