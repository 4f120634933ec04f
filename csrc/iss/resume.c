// The code of the resume ROM: see resume.h. Of one hart, its first page is instructions, its second the values that
// they load. Of several, each has a piece, of values and instructions, after the device tree.
//
// x31 points into the values, x30 holds what goes to a CSR; both get their own values last. Counters stand still in the
// meantime; minstret is set back by what is still to retire, which makes it right at the first restored instruction.
#include "iss/resume.h"
#include "iss/iss_internal.h"
#include "iss/resume_internal.h"
#include "machine/bootrom.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct csr_info rows[] = {CSR_INFO_ROWS};

enum { CODE_BYTES = PAGE_BYTES, VALUES_BASE = 2040 };
enum { PIECE_VALUES = 3072, PIECE_BYTES = PIECE_VALUES + CODE_BYTES, PIECES = BOOTROM_RESUME_TREE };
_Static_assert(PIECES + RESUME_HARTS * PIECE_BYTES <= RESUME_BYTES, "a larger resume ROM");
enum { POINTER = 31, VALUE = 30, REACH = (1 << 20) - (DRAM_BASE - RESUME_BASE) };
enum { // instructions, register fields open
    LUI = 0x37,
    ADDI = 0x13,
    LD = 0x3003,
    FLD = 0x3007,
    CSRRW = 0x1073,
    CSRRS = 0x2073,
    CSRRSI = 0x6073,
    MRET = 0x30200073,
    JAL = 0x6f,
    JALR = 0x67
};

struct code {
    uint8_t *rom;           // all of it
    size_t code, values_at; // offsets of the two, and ...
    unsigned values_most;   // ... how many the latter has room for
    unsigned instructions, values;
};

// Where the code of this hart is, in the ROM of all `harts`.
static struct code place(uint8_t *rom, unsigned hart, unsigned harts) {
    const size_t piece = PIECES + (size_t)hart * PIECE_BYTES;
    if (harts == 1) return (struct code){rom, 0, CODE_BYTES, PAGE_BYTES / 8 - 1, 0, 0};
    return (struct code){rom, piece + PIECE_VALUES, piece, PIECE_VALUES / 8 - 1, 0, 0};
}

static void emit(struct code *c, uint32_t word) {
    if (4 * (c->instructions + 1) <= CODE_BYTES) memcpy(c->rom + c->code + 4 * c->instructions, &word, sizeof word);
    c->instructions++;
}

static void load(struct code *c, uint32_t match, unsigned rd, uint64_t value) {
    if (c->values < c->values_most) memcpy(c->rom + c->values_at + 8 * c->values, &value, sizeof value);
    uint32_t offset = (uint32_t)(8 * (int)c->values++ - VALUES_BASE);
    emit(c, match | offset << 20 | POINTER << 15 | rd << 7);
}

static void write_csr(struct code *c, unsigned csr, uint64_t value) {
    load(c, LD, VALUE, value);
    emit(c, CSRRW | csr << 20 | VALUE << 15);
}

// ---- CSRs ----
// Those that are written in this order, behind all others.
static const uint16_t last[] = {CSR_PMPCFG2,  CSR_PMPCFG0,       CSR_FCSR,   CSR_MCYCLE,
                                CSR_MINSTRET, CSR_MCOUNTINHIBIT, CSR_MSTATUS};
// Those that others show a part of, the word that acknowledges a sample, and the ways to registers that are not the
// hart's.
static const uint16_t views[] = {CSR_SSTATUS,   CSR_SIE,     CSR_SIP,    CSR_FFLAGS, CSR_FRM,
                                 CSR_SHPMSDATA, CSR_SCTRCTL, CSR_SIREG,  CSR_SIREG2, CSR_SIREG3,
                                 CSR_SIREG4,    CSR_SIREG5,  CSR_SIREG6, CSR_MIREG,  CSR_MIREG2,
                                 CSR_MIREG3,    CSR_MIREG4,  CSR_MIREG5, CSR_MIREG6};

static bool is_in(const uint16_t *list, size_t count, unsigned csr) {
    for (size_t i = 0; i < count; i++) {
        if (list[i] == csr) return true;
    }
    return false;
}
#define IS_IN(list, csr) is_in(list, sizeof(list) / sizeof *(list), csr)

static bool is_pmp(unsigned csr) {
    return csr >= CSR_PMPCFG0 && csr <= CSR_PMPADDR15;
}

static bool exists(const struct hart *h, const struct csr_info *row) {
    if (is_pmp(row->address) && h->pmp_entries == 0) return false;
    return !row->read_only && (h->fp ? row->mask : row->mask_no_fp) != 0 && h->csr_row[row->address] >= 0;
}

// Of the instruction that it goes on with: one that waits has executed its wfi, of 4 bytes.
static uint64_t pc_of(const struct hart *h) {
    return h->waiting ? h->pc - 4 : h->pc;
}

// What is to be written so that the CSR holds what it holds in s.
static uint64_t value_of(const struct hart *h, unsigned csr) {
    uint64_t value = h->csr[csr];
    if (csr == CSR_FCSR || csr == CSR_MCYCLE || csr == CSR_MINSTRET) hart_csr(h, csr, &value);
    if (h->privilege != ISS_PRIVILEGE_M && csr == CSR_MEPC) value = pc_of(h);
    return value;
}

// mstatus before the last instruction, which makes it what it is to be.
static uint64_t mstatus_of(const struct hart *h) {
    uint64_t value = h->csr[CSR_MSTATUS] & ~MSTATUS_MIE;
    if (h->privilege == ISS_PRIVILEGE_M) return value;
    uint64_t mpie = h->csr[CSR_MSTATUS] & MSTATUS_MIE ? MSTATUS_MPIE : 0;
    return (value & ~(MSTATUS_MPIE | MSTATUS_MPP)) | mpie | (uint64_t)h->privilege << 11;
}

// after: instructions after the write of minstret.
static void write_csrs(const struct hart *h, struct code *c, unsigned after) {
    for (size_t i = 0; i < CSR_COUNT; i++) {
        unsigned csr = rows[i].address;
        if (exists(h, &rows[i]) && !IS_IN(last, csr) && !IS_IN(views, csr)) write_csr(c, csr, value_of(h, csr));
    }
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        if (h->csr_row[last[i]] < 0 || (is_pmp(last[i]) && h->pmp_entries == 0)) continue;
        uint64_t value = last[i] == CSR_MSTATUS ? mstatus_of(h) : value_of(h, last[i]);
        bool counts = !(h->csr[CSR_MCOUNTINHIBIT] & 4);
        if (last[i] == CSR_MINSTRET && counts) value -= after + h->waiting;
        write_csr(c, last[i], value);
    }
}

// ---- the whole ----
static bool jal_reaches(const struct hart *h) {
    return pc_of(h) - DRAM_BASE < REACH;
}

// A register that a jalr gets to the pc from; 0: none.
static unsigned jalr_from(const struct hart *h) {
    enum { NEAR = 2048 };
    if (pc_of(h) < DRAM_BASE) return 0; // the boot ROM leads to the resume ROM now
    for (unsigned i = 1; i < 32; i++) {
        if (pc_of(h) - h->x[i] + NEAR < UINT64_C(2) * NEAR) return i;
    }
    return 0;
}

static void leave(const struct hart *h, struct code *c) {
    if (h->privilege != ISS_PRIVILEGE_M) {
        emit(c, MRET);
        return;
    }
    if (h->csr[CSR_MSTATUS] & MSTATUS_MIE) emit(c, CSRRSI | CSR_MSTATUS << 20 | (uint32_t)MSTATUS_MIE << 15);
    if (!jal_reaches(h)) {
        unsigned from = jalr_from(h);
        emit(c, JALR | (uint32_t)(pc_of(h) - h->x[from]) << 20 | from << 15);
        return;
    }
    uint32_t offset = (uint32_t)(pc_of(h) - (RESUME_BASE + c->code + 4 * c->instructions));
    emit(c,
         JAL | (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3ff) << 21 | (offset >> 11 & 1) << 20 | (offset & 0xff000));
}

// To the piece of the hart that comes here: PIECE_BYTES, a sum of two powers of 2, times its number further.
static void find_piece(struct code *c) {
    enum { CSRR_MHARTID = 0xf1402073, SLLI = 0x1013, ADD = 0x33, SUB = 0x40000033, AUIPC = 0x17, EIGHTH = 10 };
    _Static_assert(PIECE_BYTES == (8 << EIGHTH) - (1 << EIGHTH), "seven eighths of 8 KiB");
    emit(c, CSRR_MHARTID | VALUE << 7);
    emit(c, SLLI | (EIGHTH + 3) << 20 | VALUE << 15 | POINTER << 7);
    emit(c, SLLI | EIGHTH << 20 | VALUE << 15 | VALUE << 7);
    emit(c, SUB | VALUE << 20 | (uint32_t)POINTER << 15 | POINTER << 7);
    emit(c, AUIPC | VALUE << 7);
    emit(c, ADD | (uint32_t)POINTER << 20 | VALUE << 15 | POINTER << 7);
    emit(c, JALR | 12 << 20 | (uint32_t)POINTER << 15); // after this one, there
}

// Returns the instructions after the one that lets minstret count, which is known when the code has been made once.
static unsigned make(const struct hart *h, struct code *c, unsigned after) {
    const uint32_t pointer = (uint32_t)(RESUME_BASE + c->values_at + VALUES_BASE), low = pointer & 0xfff;
    if (c->code >= PIECES) find_piece(c);
    emit(c, LUI | (pointer - low + (low & 0x800) * 2) | POINTER << 7); // low has a sign
    emit(c, ADDI | low << 20 | (uint32_t)POINTER << 15 | POINTER << 7);
    write_csr(c, CSR_MCOUNTINHIBIT, UINT32_MAX);
    if (h->fp) {
        load(c, LD, VALUE, MSTATUS_FS);
        emit(c, CSRRS | CSR_MSTATUS << 20 | VALUE << 15);
    }
    for (unsigned i = 0; h->fp && i < 32; i++)
        load(c, FLD, i, h->f[i]);
    write_csrs(h, c, after);
    unsigned counting = c->instructions - 2; // the load and the write of mstatus, behind mcountinhibit's
    for (unsigned i = 1; i < 31; i++)
        load(c, LD, i, h->x[i]);
    load(c, LD, POINTER, h->x[POINTER]);
    leave(h, c);
    return c->instructions - counting;
}

static bool fault(struct error *err, const char *what, const char *remedy) {
    error_set(err, "the checkpoint cannot be given to a core: %s: %s", what, remedy);
    return false;
}

// Locked regions hold from the write of their configuration on, in machine mode, too: the rest of the code is fetched,
// and its values are loaded, under them.
static bool may_go_on(const struct hart *h) {
    enum { PAGE = 4096 };
    bool good = true;
    for (uint64_t page = RESUME_BASE; page < RESUME_BASE + RESUME_BYTES; page += PAGE)
        good &= iss_pmp_allows(h, page, ISS_MMU_FETCH, ISS_PRIVILEGE_M) &&
                iss_pmp_allows(h, page, ISS_MMU_LOAD, ISS_PRIVILEGE_M);
    return good;
}

static bool possible(const struct hart *h, struct error *err) {
    static const char later[] = "make it some instructions later";
    bool machine = h->privilege == ISS_PRIVILEGE_M;
    if (machine && !jal_reaches(h) && !jalr_from(h))
        return fault(err, "it is in machine mode, with its pc far from what any register holds", later);
    if (machine && h->csr[CSR_MSTATUS] & MSTATUS_MPRV)
        return fault(err, "it is in machine mode with mstatus.MPRV set", later);
    if (!may_go_on(h))
        return fault(err, "a locked region of physical memory protection forbids the resume ROM",
                     "make it before the program locks it, or go on with `tipoff iss`");
    return true;
}

bool resume_is_rom(uint64_t pc) {
    return (pc >= RESUME_BASE && pc - RESUME_BASE < RESUME_BYTES) ||
           (pc >= BOOTROM_BASE && pc - BOOTROM_BASE < BOOTROM_BYTES);
}

static bool goes_on(struct iss *iss, struct hart *h) {
    if (h->privilege != ISS_PRIVILEGE_M || jal_reaches(h) || jalr_from(h) || iss_exited(iss, NULL)) return false;
    h->waiting = false;
    hart_step(h, NULL);
    return true;
}

uint64_t resume_advance(struct iss *iss, uint64_t most) {
    uint64_t all = 0;
    for (unsigned i = 0; i < iss->hart_count; i++) {
        uint64_t done = 0;
        while (done < most && goes_on(iss, &iss->harts[i]))
            done++;
        all += done;
    }
    return all;
}

bool resume_all_possible(const struct iss *iss, struct error *err) {
    if (iss->hart_count > RESUME_HARTS) {
        error_set(err, "a checkpoint of %u harts cannot be given to cores: make one of %u at most", iss->hart_count,
                  RESUME_HARTS);
        return false;
    }
    for (unsigned i = 0; i < iss->hart_count; i++)
        if (!possible(&iss->harts[i], err)) return false;
    if (iss->hart_count == 1 || iss->harts[0].id == 0) return true;
    error_set(err, "a checkpoint of harts numbered from %u cannot be given to cores: make it without --hart-id",
              iss->harts[0].id);
    return false;
}

uint64_t resume_make(const struct iss *from, uint8_t *rom, size_t *begin) {
    for (unsigned i = 0; i < from->hart_count; i++) {
        struct code first = place(rom, i, from->hart_count), code = first;
        make(&from->harts[i], &code, make(&from->harts[i], &first, 0));
        if (4 * code.instructions > CODE_BYTES || code.values > code.values_most) abort(); // more CSRs: a larger ROM
    }
    const struct code first = place(rom, 0, from->hart_count);
    *begin = from->hart_count == 1 ? 0 : PIECES;
    return RESUME_BASE + first.code;
}

struct resume_place resume_place(const struct iss *from) {
    const struct hart *h = iss_only(from);
    return (struct resume_place){pc_of(h), h->privilege};
}

bool resume_possible(const struct iss *iss) {
    struct error unused;
    const struct hart *h = iss_only(iss);
    return h->pc >= DRAM_BASE && possible(h, &unused);
}
