// What an instruction is, by which a mix can be broken down: its static properties, and classes of the user's own.
#ifndef TIPOFF_METHODS_HBBP_ATTRIBUTES_H
#define TIPOFF_METHODS_HBBP_ATTRIBUTES_H

#include "methods/hbbp/code.h"

enum mix_key {
    MIX_MNEMONIC,  // of the 32-bit form
    MIX_CLASS,     // "load", "call", "divide"
    MIX_EXTENSION, // that provides it, without regard to its size
    MIX_OPERANDS,  // "rd, rs1, imm"
    MIX_BYTES,     // of its access to memory: 1, 2, 4, 8, or 0
    MIX_SIZE,      // of the instruction: 2 or 4
    MIX_FUNCTION,
    MIX_MODULE, // the image
    MIX_MODE,   // U, S, M
    MIX_LINE,   // file:line
    MIX_BLOCK,  // address of its first instruction
    MIX_ADDRESS,
    MIX_TAXONOMY,
    MIX_KEYS
};
#define MIX_KEY_NAMES                                                                                                  \
    "mnemonic", "class", "extension", "operands", "bytes", "size", "function", "module", "mode", "line", "block",      \
        "address", "taxonomy"

// Classes of the user's own, first match first: lines of PATTERN and, behind blanks, CLASS; PATTERN: of mnemonics, or
// KEY=PATTERN, of any other key; what matches none is "other". '#' begins a comment.
struct taxonomy;
struct taxonomy *taxonomy_read(const char *path, struct error *err); // NULL with err
void taxonomy_destroy(struct taxonomy *t);                           // NULL is fine

enum { MIX_TEXT = 256 };
// The instruction's value of the key. taxonomy: for MIX_TAXONOMY.
void mix_attribute(const struct code *c, uint32_t instruction, enum mix_key key, const struct taxonomy *taxonomy,
                   char text[MIX_TEXT]);
bool mix_key_find(const char *name, enum mix_key *key);

#endif
