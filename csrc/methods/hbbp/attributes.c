// Texts of an instruction's properties, from the table of instructions, the program, and a taxonomy.
#include "methods/hbbp/attributes.h"
#include "base/array.h"
#include "base/paths.h"
#include "base/text_file.h"
#include "instructions.h"
#include "isa/control.h"
#include "isa/rvc.h"
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const key_names[] = {MIX_KEY_NAMES};
static const struct insn_info rows[] = {INSN_INFO_ROWS};

bool mix_key_find(const char *name, enum mix_key *key) {
    unsigned k = 0;
    while (k < MIX_KEYS && strcmp(name, key_names[k]) != 0)
        k++;
    *key = (enum mix_key)k;
    return k < MIX_KEYS;
}

static uint32_t expanded(uint32_t insn) {
    return insn_word(insn);
}

// Hints have rows of their own, inside others'.
static const struct insn_info *row_of(uint32_t insn) {
    const uint32_t i = expanded(insn);
    const enum insn_op op = insn_decode(i);
    for (unsigned h = 1; h < INSN_COUNT; h++)
        if (rows[h].hint && (i & rows[h].mask) == rows[h].match) return &rows[h];
    return &rows[op];
}

// ---- class ----
static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

static const char *fp_class(const char *name) {
    static const char *const kinds[][2] = {{"fadd", "fp add"},
                                           {"fsub", "fp add"},
                                           {"fmul", "fp multiply"},
                                           {"fdiv", "fp divide"},
                                           {"fsqrt", "fp divide"},
                                           {"fmadd", "fp multiply-add"},
                                           {"fmsub", "fp multiply-add"},
                                           {"fnmadd", "fp multiply-add"},
                                           {"fnmsub", "fp multiply-add"},
                                           {"fcvt", "fp convert"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins(name, kinds[i][0])) return kinds[i][1];
    return "fp other"; // moves, signs, comparisons
}

static const char *class_of(const struct insn_info *row, uint32_t insn) {
    static const char *const by_control[] = {"", "branch", "jump", "call", "return", "system", "system"};
    const enum control_kind control = control_kind_of(insn);
    if (control != CONTROL_NONE) return by_control[control];
    switch (row->unit) {
    case UNIT_ALU: return "integer";
    case UNIT_MUL: return "multiply";
    case UNIT_DIV: return "divide";
    case UNIT_LOAD: return row->hint ? "prefetch" : "load";
    case UNIT_STORE: return "store";
    case UNIT_AMO: return "atomic";
    case UNIT_CSR: return "csr";
    case UNIT_FENCE: return "fence";
    case UNIT_SYS: return "system";
    case UNIT_FP: return fp_class(row->name);
    default: return "illegal";
    }
}

// ---- operands ----
static const char *integer_operands(unsigned format, bool load) {
    switch (format) {
    case FORMAT_R: return "rd, rs1, rs2";
    case FORMAT_RR: return "rs1, rs2";
    case FORMAT_I: return load ? "rd, memory" : "rd, rs1, imm";
    case FORMAT_SH5:
    case FORMAT_SH6: return "rd, rs1, imm";
    case FORMAT_S: return "rs2, memory";
    case FORMAT_P: return "memory";
    case FORMAT_B: return "rs1, rs2, target";
    case FORMAT_U: return "rd, imm";
    case FORMAT_J: return "rd, target";
    case FORMAT_CSR: return "rd, csr, rs1";
    case FORMAT_CSRI: return "rd, csr, imm";
    case FORMAT_LR: return "rd, memory";
    case FORMAT_AMO: return "rd, rs2, memory";
    default: return "none";
    }
}

static const char *operands_text(const struct insn_info *row) {
    switch (row->format) {
    case FORMAT_FI: return "fd, memory";
    case FORMAT_FS: return "fs2, memory";
    case FORMAT_FR4: return "fd, fs1, fs2, fs3";
    case FORMAT_FR: return "fd, fs1, fs2";
    case FORMAT_F1: return "fd, fs1";
    case FORMAT_FRX: return "rd, fs1, fs2";
    case FORMAT_F1X: return "rd, fs1";
    case FORMAT_X1F: return "fd, rs1";
    default: return integer_operands(row->format, row->unit == UNIT_LOAD);
    }
}

static unsigned access_bytes(const struct insn_info *row, uint32_t insn) {
    const bool memory = row->unit == UNIT_LOAD || row->unit == UNIT_STORE || row->unit == UNIT_AMO;
    return memory && !row->hint ? 1u << (expanded(insn) >> 12 & 3) : 0; // funct3: in all of them
}

// ---- where it is ----
static void line_text(const struct code *c, uint32_t instruction, char text[MIX_TEXT]) {
    unsigned line = 0;
    const char *file = program_source(code_program(c, instruction), c->instructions[instruction].pc, &line);
    if (file) {
        snprintf(text, MIX_TEXT, "%s:%u", paths_name(file), line);
    } else {
        snprintf(text, MIX_TEXT, "?");
    }
}

static void block_text(const struct code *c, uint32_t instruction, char text[MIX_TEXT]) {
    const uint32_t block = c->instructions[instruction].block;
    const uint32_t first = block == CODE_NONE ? instruction : c->blocks[block].first;
    snprintf(text, MIX_TEXT, "0x%08" PRIx64, c->instructions[first].pc);
}

// ---- taxonomies ----
struct taxon {
    enum mix_key key;
    char *pattern, *name;
};
struct taxonomy {
    struct taxon *list;
    size_t count, capacity;
};

static void taxonomy_text(const struct code *c, uint32_t instruction, const struct taxonomy *t, char text[MIX_TEXT]) {
    char value[MIX_TEXT];
    snprintf(text, MIX_TEXT, "other");
    for (size_t i = 0; t && i < t->count; i++) {
        mix_attribute(c, instruction, t->list[i].key, NULL, value);
        if (fnmatch(t->list[i].pattern, value, 0) != 0) continue;
        snprintf(text, MIX_TEXT, "%s", t->list[i].name);
        return;
    }
}

static bool add_taxon(struct taxonomy *t, char *line) {
    char *pattern = line + strspn(line, " \t"), *name = pattern + strcspn(pattern, " \t"), *equals;
    if (*name) *name++ = '\0';
    name += strspn(name, " \t");
    enum mix_key key = MIX_MNEMONIC;
    if ((equals = strchr(pattern, '='))) {
        *equals = '\0';
        if (!mix_key_find(pattern, &key) || key == MIX_TAXONOMY) return false;
        pattern = equals + 1;
    }
    if (!*pattern || !*name || !array_reserve(&t->list, &t->capacity, t->count, sizeof *t->list)) return false;
    t->list[t->count++] = (struct taxon){key, strdup(pattern), strdup(name)};
    return t->list[t->count - 1].pattern && t->list[t->count - 1].name;
}

struct taxonomy *taxonomy_read(const char *path, struct error *err) {
    struct text_file file;
    char *line;
    if (!text_file_open(&file, path, TEXT_FILE_MOST, "name another file", err)) return NULL;
    struct taxonomy *t = calloc(1, sizeof *t);
    bool good = t != NULL;
    if (!good) error_nomem(err, path);
    while (good && (line = text_file_line(&file))) {
        line[strcspn(line, "#")] = '\0';
        for (size_t end = strlen(line); end && strchr(" \t", line[end - 1]); end--)
            line[end - 1] = '\0';
        if (!*line) continue;
        good = add_taxon(t, line);
        if (!good)
            error_set(err, "%s:%u: no class: write a pattern of mnemonics, or KEY=PATTERN, and then a name", path,
                      file.line);
    }
    text_file_close(&file);
    if (good) return t;
    taxonomy_destroy(t);
    return NULL;
}

void taxonomy_destroy(struct taxonomy *t) {
    for (size_t i = 0; t && i < t->count; i++) {
        free(t->list[i].pattern);
        free(t->list[i].name);
    }
    if (t) free(t->list);
    free(t);
}

void mix_attribute(const struct code *c, uint32_t instruction, enum mix_key key, const struct taxonomy *taxonomy,
                   char text[MIX_TEXT]) {
    const struct code_instruction *i = &c->instructions[instruction];
    const struct insn_info *row = row_of(i->insn);
    const char *found = "?";
    switch (key) {
    case MIX_MNEMONIC: found = row->name; break;
    case MIX_CLASS: found = class_of(row, i->insn); break;
    case MIX_EXTENSION: found = row->extension; break;
    case MIX_OPERANDS: found = operands_text(row); break;
    case MIX_FUNCTION: found = code_function(c, instruction)->name; break;
    case MIX_MODULE: found = images_name(c->images, i->image); break;
    case MIX_BYTES: snprintf(text, MIX_TEXT, "%u", access_bytes(row, i->insn)); return;
    case MIX_SIZE: snprintf(text, MIX_TEXT, "%d", (i->insn & 3) == 3 ? 4 : 2); return;
    case MIX_MODE: snprintf(text, MIX_TEXT, "%c", MODE_LETTERS[i->mode & 3]); return;
    case MIX_LINE: line_text(c, instruction, text); return;
    case MIX_BLOCK: block_text(c, instruction, text); return;
    case MIX_ADDRESS: snprintf(text, MIX_TEXT, "0x%08" PRIx64, i->pc); return;
    case MIX_TAXONOMY: taxonomy_text(c, instruction, taxonomy, text); return;
    default: break;
    }
    snprintf(text, MIX_TEXT, "%s", found);
}
