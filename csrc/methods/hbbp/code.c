// Numbers of instructions by image and mode, and the blocks over them.
#include "methods/hbbp/code.h"
#include "isa/control.h"
#include <stdlib.h>
#include <string.h>

enum { MODES = 4 };

static unsigned length(uint32_t insn) {
    return (insn & 3) == 3 ? 4 : 2;
}

// ---- numbers ----
// The first image with the program: extents of one share its numbers.
static size_t owner(const struct images *images, size_t image) {
    size_t i = 0;
    while (images_program(images, i) != images_program(images, image))
        i++;
    return i;
}

static void add_image(struct code *c, size_t image, unsigned mode) {
    size_t n;
    const struct program_instruction *list = program_instructions(images_program(c->images, image), &n);
    c->bases[image * MODES + mode] = c->count;
    for (size_t i = 0; i < n; i++) {
        struct code_instruction *to = &c->instructions[c->count + i];
        *to = (struct code_instruction){.pc = list[i].pc,
                                        .insn = list[i].insn,
                                        .block = CODE_NONE,
                                        .image = (uint32_t)image,
                                        .mode = (uint8_t)mode,
                                        .leads = list[i].block == i};
        to->follows = i && list[i - 1].pc + length(list[i - 1].insn) == list[i].pc;
    }
    c->count += n;
}

// The modes that any extent of the image's program is for.
static unsigned modes_of(const struct images *images, size_t image) {
    unsigned modes = 0;
    for (size_t i = image; i < images_count(images); i++)
        if (images_program(images, i) == images_program(images, image)) modes |= images_extent(images, i)->modes;
    return modes;
}

struct code *code_create(const struct images *images, struct error *err) {
    struct code *c = calloc(1, sizeof *c);
    size_t most = 0, n;
    for (size_t i = 0; i < images_count(images); i++) {
        if (!images_program(images, i)) continue;
        program_instructions(images_program(images, i), &n);
        most += MODES * n;
    }
    if (c) {
        c->images = images;
        c->bases = calloc(images_count(images) * MODES + 1, sizeof *c->bases);
        c->instructions = calloc(most + 1, sizeof *c->instructions);
    }
    if (!c || !c->bases || !c->instructions || most >= CODE_NONE) {
        code_destroy(c);
        error_nomem(err, "instruction mix");
        return NULL;
    }
    for (size_t i = 0; i < images_count(images) * MODES; i++)
        c->bases[i] = SIZE_MAX;
    for (size_t i = 0; i < images_count(images); i++) {
        if (!images_program(images, i) || owner(images, i) != i) continue;
        for (unsigned mode = 0; mode < MODES; mode++)
            if (modes_of(images, i) >> mode & 1) add_image(c, i, mode);
    }
    return c;
}

void code_destroy(struct code *c) {
    if (!c) return;
    free(c->instructions);
    free(c->blocks);
    free(c->bases);
    free(c);
}

uint32_t code_find(const struct code *c, struct place place) {
    struct image_hit hit;
    if (!images_find(c->images, place, &hit)) return CODE_NONE;
    const size_t base = c->bases[owner(c->images, hit.image) * MODES + place_mode(place.context)];
    return base == SIZE_MAX ? CODE_NONE : (uint32_t)(base + hit.instruction);
}

const struct program *code_program(const struct code *c, uint32_t instruction) {
    return images_program(c->images, c->instructions[instruction].image);
}

const struct program_function *code_function(const struct code *c, uint32_t instruction) {
    const struct code_instruction *i = &c->instructions[instruction];
    const struct program *p = images_program(c->images, i->image);
    size_t n;
    const size_t at = instruction - c->bases[(size_t)i->image * MODES + i->mode];
    return &program_functions(p, &n)[program_instructions(p, &n)[at].function];
}

// ---- blocks ----
void code_split(struct code *c, uint32_t instruction) {
    c->instructions[instruction].leads = true;
}

static void finish_block(struct code *c, struct code_block *b) {
    const enum control_kind kind = control_kind_of(c->instructions[b->first + b->count - 1].insn);
    b->conditional = kind == CONTROL_BRANCH;
    b->falls = kind == CONTROL_NONE || kind == CONTROL_BRANCH || kind == CONTROL_TRAPS;
    for (uint32_t i = b->first; i < b->first + b->count; i++)
        b->retiring += control_kind_of(c->instructions[i].insn) != CONTROL_TRAPS;
}

bool code_make_blocks(struct code *c, struct error *err) {
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        n += c->instructions[i].leads || !c->instructions[i].follows;
    free(c->blocks);
    c->blocks = calloc(n + 1, sizeof *c->blocks);
    c->block_count = 0;
    if (!c->blocks) {
        error_nomem(err, "instruction mix");
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->instructions[i].leads || !c->instructions[i].follows)
            c->blocks[c->block_count++] = (struct code_block){.first = (uint32_t)i};
        c->blocks[c->block_count - 1].count++;
        c->instructions[i].block = (uint32_t)(c->block_count - 1);
    }
    for (size_t b = 0; b < c->block_count; b++)
        finish_block(c, &c->blocks[b]);
    return true;
}
