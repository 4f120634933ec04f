// The program's structure. Read once, in this order: bytes of the executable sections, functions from the symbols (and
// from the gaps between them), instructions by walking each function, basic blocks from the branches among them.
#include "analysis/analysis.h"
#include "analysis/program_internal.h"
#include "base/bootrom.h"
#include "base/bytes.h"
#include "base/elf.h"
#include "memory_map.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BOOTROM_CODE_BYTES = 20 }; // five instructions; what follows is data

struct program {
    char build_id[65], digest[32];
    struct elf_module *module;
    struct debug_info *debug;
    struct program_instruction *instructions;
    size_t count, capacity;
    struct program_function *functions;
    size_t function_count, function_capacity;
};

static bool add_instruction(struct program *p, uint64_t pc, uint32_t insn) {
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 4096;
        struct program_instruction *grown = realloc(p->instructions, capacity * sizeof *grown);
        if (!grown) return false;
        p->instructions = grown;
        p->capacity = capacity;
    }
    p->instructions[p->count++] =
        (struct program_instruction){.pc = pc, .insn = insn, .function = (uint32_t)p->function_count - 1};
    return true;
}

// A function of the bytes from `start` to `end`, at `data`, with its instructions. Takes the symbol's name over.
static bool add_function(struct program *p, char *symbol, uint64_t start, uint64_t end, const uint8_t *data) {
    if (p->function_count == p->function_capacity) {
        size_t capacity = p->function_capacity ? 2 * p->function_capacity : 256;
        struct program_function *grown = symbol ? realloc(p->functions, capacity * sizeof *grown) : NULL;
        if (!grown) {
            free(symbol);
            return false;
        }
        p->functions = grown;
        p->function_capacity = capacity;
    }
    char *name = symbol ? name_demangled(symbol) : NULL;
    if (!name) {
        free(symbol);
        return false;
    }
    size_t first = p->count;
    p->functions[p->function_count++] = (struct program_function){name, symbol, start, end, first, 0};
    for (uint64_t pc = start; pc + 2 <= end;) {
        const uint8_t *at = data + (pc - start);
        uint32_t low = at[0] | (uint32_t)at[1] << 8;
        bool wide = (low & 3) == 3;
        if (wide && pc + 4 > end) break;
        uint32_t insn = wide ? (uint32_t)bytes_get(&at, 4) : low;
        if (!add_instruction(p, pc, insn)) return false;
        pc += wide ? 4 : 2;
    }
    p->functions[p->function_count - 1].count = p->count - first;
    return true;
}

static bool add_gap(struct program *p, const char *section, uint64_t base, uint64_t start, uint64_t end,
                    const uint8_t *data) {
    if (start >= end) return true;
    char *name = NULL;
    if (asprintf(&name, "[%s+0x%llx]", section, (unsigned long long)(start - base)) < 0) return false;
    return add_function(p, name, start, end, data + (start - base));
}

// The first symbol at or behind the address.
static size_t first_from(const struct code_symbols *symbols, uint64_t address) {
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->list[middle].start < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool add_section(struct program *p, const struct code_symbols *symbols, Elf_Scn *section,
                        const GElf_Shdr *header, const char *name) {
    Elf_Data *raw = elf_rawdata(section, NULL);
    if (!raw || !raw->d_buf || raw->d_size < header->sh_size) return true;
    const uint8_t *data = raw->d_buf;
    const uint64_t base = header->sh_addr, limit = base + header->sh_size;
    bool good = true;
    uint64_t done = base; // bytes before it have a function
    for (size_t i = first_from(symbols, base); i < symbols->count && good; i++) {
        const struct code_symbol *s = &symbols->list[i];
        if (s->start >= limit) break;
        if (s->start < done) continue; // a label inside a function
        good = add_gap(p, name, base, done, s->start, data);
        uint64_t next = i + 1 < symbols->count && s[1].start < limit ? s[1].start : limit;
        uint64_t end = s->bytes && s->bytes <= limit - s->start ? s->start + s->bytes : next;
        good = good && add_function(p, strdup(s->name), s->start, end, data + (s->start - base));
        done = end;
    }
    return good && add_gap(p, name, base, done, limit, data);
}

static bool add_sections(struct program *p, Elf *elf) {
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
        good = add_section(p, &symbols, section, &header, name ? name : "code");
    }
    code_symbols_free(&symbols);
    return good;
}

static bool add_bootrom(struct program *p, uint64_t entry) {
    uint8_t *rom = calloc(1, BOOTROM_BYTES);
    if (rom) bootrom_write(rom, entry, true);
    bool good = rom && add_function(p, strdup("[boot ROM]"), BOOTROM_BASE, BOOTROM_BASE + BOOTROM_CODE_BYTES, rom);
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

// Sections come in any order: sorts, and numbers functions and their instructions anew.
static void sort(struct program *p) {
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
        if (branch_ends_block(p->instructions[i].insn)) leader[i + 1] = true;
        if (!program_branch(p->instructions[i].pc, p->instructions[i].insn, &target)) continue;
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

// Takes the image, which has said what is wrong with a bad file.
static struct program *load(const char *path, struct image *image, bool machine, const char *debug_dir,
                            struct error *err) {
    if (!image) return NULL;
    struct program *p = calloc(1, sizeof *p);
    bool good = false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (p && fd >= 0 && (p->module = elf_module_open(path, debug_dir))) {
        elf_version(EV_CURRENT);
        snprintf(p->build_id, sizeof p->build_id, "%s", image_build_id(image));
        snprintf(p->digest, sizeof p->digest, "%s", image_digest(image));
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        good = elf && (!machine || add_bootrom(p, image_entry(image))) && add_sections(p, elf);
        elf_end(elf);
        if (good) sort(p);
        good = good && find_blocks(p) && (p->debug = debug_info_create(elf_module_dwfl(p->module)));
    }
    if (fd >= 0) close(fd);
    image_destroy(image);
    if (good) return p;
    error_set(err, "%s: out of memory, or the file went away: free some and try again", path);
    program_destroy(p);
    return NULL;
}

struct program *program_load_as(const char *path, const struct program_kind *kind, struct error *err) {
    return kind->guest ? load(path, image_load_symbols(path, err), false, kind->debug_dir, err)
                       : load(path, image_load(path, err), true, kind->debug_dir, err);
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
    elf_module_close(p->module);
    for (size_t i = 0; i < p->function_count; i++) {
        free((void *)p->functions[i].name);
        free((void *)p->functions[i].symbol);
    }
    free(p->functions);
    free(p->instructions);
    free(p);
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

// Where the parameters of a demangled name begin, or its end.
static size_t parameters_of(const char *name) {
    size_t i = 0;
    for (int depth = 0; name[i] && (depth > 0 || name[i] != '('); i++)
        depth += (name[i] == '<') - (name[i] == '>' && depth > 0);
    return i;
}

bool program_function_is(const struct program_function *f, const char *name) {
    const size_t bytes = strlen(name), end = parameters_of(f->name);
    if (strcmp(f->name, name) == 0 || strcmp(f->symbol, name) == 0) return true;
    if (!f->name[end] || bytes > end || strncmp(f->name + end - bytes, name, bytes) != 0) return false;
    return bytes && (bytes == end || f->name[end - bytes - 1] == ' '); // the result of a template stands in front
}

size_t program_find_function(const struct program *p, const char *name) {
    for (size_t i = 0; i < p->function_count; i++) {
        if (program_function_is(&p->functions[i], name)) return i;
    }
    return PROGRAM_NONE;
}

const char *program_source(const struct program *p, uint64_t pc, unsigned *line) {
    return debug_info_line(p->debug, pc, line);
}

size_t program_inlines(const struct program *p, uint64_t pc, struct program_inline *calls, size_t size) {
    return debug_info_inlines(p->debug, pc, calls, size);
}
