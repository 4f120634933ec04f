// Fetch and decode: what the table of instructions and the manual's immediate formats say, once for each parcel.
#include "isa/immediate.h"
#include "isa/rvc.h"
#include "iss/iss_internal.h"
#include <stdlib.h>
#include <string.h>

static const struct insn_info rows[] = {INSN_INFO_ROWS};

static bool writes_rd(enum insn_format format) {
    return format != FORMAT_S && format != FORMAT_FS && format != FORMAT_B && format != FORMAT_FENCE &&
           format != FORMAT_N && format != FORMAT_RR;
}

static bool parcel(struct hart *h, uint64_t pc, uint32_t *value) {
    uint8_t *memory = iss_memory(h->machine, pc, 2, false);
    if (memory) *value = (uint32_t)(memory[0] | memory[1] << 8);
    return memory != NULL;
}

static void decode_word(struct hart *h, uint32_t low, uint32_t high, struct entry *entry);

void iss_decode(struct hart *h, uint64_t physical, struct entry *entry) {
    uint32_t low, high = 0;
    *entry = (struct entry){.op = OP_FETCH_FAULT, .rd = X_SINK, .halfwords = 1, .rs1 = CAUSE_FETCH_FAULT};
    if (!parcel(h, physical, &low)) return;
    if ((low & 3) == 3 && physical % PAGE_BYTES == PAGE_BYTES - 2) {
        entry->op = OP_STRADDLE;
        return;
    }
    if ((low & 3) == 3 && !parcel(h, physical + 2, &high)) {
        entry->imm = 2;
        return;
    }
    decode_word(h, low, high, entry);
}

struct entry *iss_decode_straddle(struct hart *h, uint64_t pc, uint64_t physical) {
    struct entry *entry = &h->straddle.entries[0];
    uint32_t low = 0, high = 0;
    uint64_t second;
    unsigned cause;
    *entry = (struct entry){.op = OP_FETCH_FAULT, .rd = X_SINK, .halfwords = 1, .imm = 2};
    bool good = iss_translate(h, pc + 2, ISS_MMU_FETCH, h->privilege, &second, &cause);
    if (good && parcel(h, physical, &low) && parcel(h, second, &high)) {
        decode_word(h, low, high, entry);
    } else {
        entry->rs1 = (uint8_t)(good ? CAUSE_FETCH_FAULT : cause);
    }
    return entry;
}

static void decode_word(struct hart *h, uint32_t low, uint32_t high, struct entry *entry) {
    bool compressed = (low & 3) != 3;
    *entry = (struct entry){.rd = X_SINK};
    entry->insn = high << 16 | low;
    entry->halfwords = compressed ? 1 : 2;
    uint32_t insn = compressed ? rvc_expand((uint16_t)low) : entry->insn;
    enum insn_op op = insn_decode(insn);
    if (op == INSN_ILLEGAL || (rows[op].fp && !h->fp)) {
        entry->op = OP_ILLEGAL;
        return;
    }
    enum insn_format format = rows[op].format;
    entry->op = op;
    entry->imm = immediate_of(insn, format);
    entry->rs1 = (uint8_t)insn_field(insn, 19, 15);
    entry->rs2 = (uint8_t)insn_field(insn, 24, 20);
    bool rd_is_fp = rows[op].fp_operands & 1;
    if (writes_rd(format) && (rd_is_fp || insn_field(insn, 11, 7) != 0)) entry->rd = (uint8_t)insn_field(insn, 11, 7);
    if (op == INSN_SLTI && entry->rd == X_SINK && entry->rs1 == 0 && entry->imm > 0 && h->machine->markers)
        entry->op = OP_MARKER;
}

static struct page *page_create(void) {
    struct page *page = calloc(1, sizeof *page);
    if (!page) abort(); // 33 KB: nothing sensible can go on
    page->entries[PAGE_ENTRIES].op = OP_PAGE_END;
    page->entries[PAGE_ENTRIES + 1].op = OP_PAGE_END;
    return page;
}

struct page *iss_page(struct hart *h, uint64_t pc, unsigned *cause) {
    struct page **slot;
    const uint64_t va = pc;
    if (!h->fetches_plainly && !iss_translate(h, pc, ISS_MMU_FETCH, h->privilege, &pc, cause)) return NULL;
    *cause = CAUSE_FETCH_FAULT;
    if (pc - DRAM_BASE < DRAM_BYTES) {
        size_t index = (pc - DRAM_BASE) / PAGE_BYTES;
        slot = &h->dram_pages[index];
        if (index < h->first_page) h->first_page = index;
        if (index > h->last_page) h->last_page = index;
    } else if (pc - BOOTROM_BASE < BOOTROM_BYTES) {
        slot = &h->bootrom_page;
    } else if (pc - RESUME_BASE < RESUME_BYTES) {
        slot = &h->resume_pages[(pc - RESUME_BASE) / PAGE_BYTES];
    } else {
        return NULL;
    }
    if (!*slot) {
        *slot = page_create();
        (*slot)->physical = pc & ~(uint64_t)(PAGE_BYTES - 1);
    } else if ((*slot)->era != h->era) {
        memset((*slot)->entries, 0, PAGE_ENTRIES * sizeof *(*slot)->entries);
    }
    (*slot)->era = h->era;
    iss_quick_code(h, va, *slot);
    return *slot;
}

// Each page is cleared when it is next executed: few are, of the thousands that a kernel has.
void iss_drop_decoded(struct hart *h) {
    h->era++;
    iss_quick_flush(h);
}
