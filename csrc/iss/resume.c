// The code of the resume ROM: see resume.h. Its first page is instructions, its second the values that they load.
//
// x31 points into the values, x30 holds what goes to a CSR; both get their own values last. Counters stand still in the
// meantime; minstret is set back by what is still to retire, which makes it right at the first restored instruction.
#include "iss/resume.h"
#include "iss/iss_internal.h"
#include "machine/bootrom.h"
#include "machine/console.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct csr_info rows[] = {CSR_INFO_ROWS};

enum { CODE_BYTES = PAGE_BYTES, VALUES_BASE = 2040, VALUES_MOST = (RESUME_BYTES - CODE_BYTES) / 8 - 1 };
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
    uint8_t *rom;
    unsigned instructions, values;
};

static void emit(struct code *c, uint32_t word) {
    if (4 * (c->instructions + 1) <= CODE_BYTES) memcpy(c->rom + 4 * c->instructions, &word, sizeof word);
    c->instructions++;
}

static void load(struct code *c, uint32_t match, unsigned rd, uint64_t value) {
    if (c->values < VALUES_MOST) memcpy(c->rom + CODE_BYTES + 8 * c->values, &value, sizeof value);
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

// What is to be written so that the CSR holds what it holds in s.
static uint64_t value_of(const struct hart *h, unsigned csr) {
    uint64_t value = h->csr[csr];
    if (csr == CSR_FCSR || csr == CSR_MCYCLE || csr == CSR_MINSTRET) hart_csr(h, csr, &value);
    if (h->privilege != ISS_PRIVILEGE_M && csr == CSR_MEPC) value = h->pc;
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
        if (last[i] == CSR_MINSTRET && counts) value -= after;
        write_csr(c, last[i], value);
    }
}

// ---- the whole ----
static bool jal_reaches(const struct hart *h) {
    return h->pc - DRAM_BASE < REACH;
}

// A register that a jalr gets to the pc from; 0: none.
static unsigned jalr_from(const struct hart *h) {
    enum { NEAR = 2048 };
    if (h->pc < DRAM_BASE) return 0; // the boot ROM leads to the resume ROM now
    for (unsigned i = 1; i < 32; i++) {
        if (h->pc - h->x[i] + NEAR < UINT64_C(2) * NEAR) return i;
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
        emit(c, JALR | (uint32_t)(h->pc - h->x[from]) << 20 | from << 15);
        return;
    }
    uint32_t offset = (uint32_t)(h->pc - (RESUME_BASE + 4 * c->instructions));
    emit(c,
         JAL | (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3ff) << 21 | (offset >> 11 & 1) << 20 | (offset & 0xff000));
}

// Returns the instructions after the one that lets minstret count, which is known when the code has been made once.
static unsigned make(const struct hart *h, struct code *c, unsigned after) {
    uint64_t pointer = RESUME_BASE + CODE_BYTES + VALUES_BASE;
    emit(c, LUI | (uint32_t)(pointer & ~UINT64_C(0xfff)) | POINTER << 7);
    emit(c, ADDI | (uint32_t)(pointer & 0xfff) << 20 | POINTER << 15 | POINTER << 7);
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

static bool fault(struct error *err, const char *what) {
    error_set(err, "the checkpoint cannot be given to a core: %s: make it some instructions later", what);
    return false;
}

static bool possible(const struct hart *h, struct error *err) {
    bool machine = h->privilege == ISS_PRIVILEGE_M;
    if (machine && !jal_reaches(h) && !jalr_from(h))
        return fault(err, "it is in machine mode, with its pc far from what any register holds");
    if (machine && h->csr[CSR_MSTATUS] & MSTATUS_MPRV) return fault(err, "it is in machine mode with mstatus.MPRV set");
    for (unsigned i = 0; i < h->pmp_entries; i++) {
        if (iss_pmp_config(h, i) & 0x80) return fault(err, "a region of physical memory protection is locked");
    }
    return true;
}

static bool add_memory(const struct iss *iss, struct image_segment *segments, size_t *count) {
    static const uint8_t zeros[PAGE_BYTES];
    for (size_t at = 0; at < iss->dram_bytes;) {
        size_t end = at;
        while (end < iss->dram_bytes && memcmp(iss->dram + end, zeros, PAGE_BYTES) != 0)
            end += PAGE_BYTES;
        if (end == at) {
            at += PAGE_BYTES;
            continue;
        }
        uint8_t *data = malloc(end - at);
        if (!data) return false;
        memcpy(data, iss->dram + at, end - at);
        segments[(*count)++] = (struct image_segment){DRAM_BASE + at, end - at, end - at, data};
        at = end;
    }
    return true;
}

bool resume_is_rom(uint64_t pc) {
    return (pc >= RESUME_BASE && pc - RESUME_BASE < RESUME_BYTES) ||
           (pc >= BOOTROM_BASE && pc - BOOTROM_BASE < BOOTROM_BYTES);
}

uint64_t resume_advance(struct iss *iss, uint64_t most) {
    struct hart *h = iss_only(iss);
    uint64_t done = 0;
    while (done < most && h->privilege == ISS_PRIVILEGE_M && !jal_reaches(h) && !jalr_from(h) &&
           !iss_exited(iss, NULL)) {
        hart_step(h, NULL);
        done++;
    }
    return done;
}

int resume_image(const struct iss *from, struct image *program, struct error *err) {
    const struct hart *h = iss_only(from);
    if (!possible(h, err)) return -EINVAL;
    struct image_segment *segments = calloc(from->dram_bytes / PAGE_BYTES / 2 + 2, sizeof *segments);
    uint8_t *rom = calloc(1, RESUME_BYTES);
    size_t count = 0;
    bool good = segments && rom;
    if (good) {
        struct code first = {rom, 0, 0};
        unsigned after = make(h, &first, 0);
        struct code code = {rom, 0, 0};
        make(h, &code, after);
        segments[count++] = (struct image_segment){RESUME_BASE, RESUME_BYTES, RESUME_BYTES, rom};
        if (4 * code.instructions > CODE_BYTES || code.values > VALUES_MOST) abort(); // more CSRs: a larger ROM
        good = add_memory(from, segments, &count);
    }
    if (good) {
        image_replace(program, RESUME_BASE, segments, count);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        free((void *)segments[i].data);
    if (!count) free(rom);
    free(segments);
    return error_nomem(err, image_path(program));
}

struct resume_place resume_place(const struct iss *from) {
    const struct hart *h = iss_only(from);
    return (struct resume_place){h->pc, h->privilege};
}

void resume_devices(const struct iss *from, struct resume_devices *out) {
    const struct hart *h = iss_only(from);
    *out = (struct resume_devices){.peripherals = from->peripherals,
                                   .mtime = iss_mtime(from),
                                   .mtimecmp = h->mtimecmp,
                                   .msip = h->msip,
                                   .htif = from->htif,
                                   .hart_id = h->id};
    out->htif.out = out->htif.in = NULL;
    out->htif.host = NULL;
    for (unsigned i = 0; i < 2; i++)
        out->peripherals.uart[i].out = out->peripherals.uart[i].in = NULL;
}

void resume_give_devices(struct iss *iss, const struct resume_devices *devices) {
    const struct console *c = &iss->console;
    iss->peripherals = devices->peripherals;
    iss->peripherals.uart[0].out = c->out;
    iss->peripherals.uart[0].in = c->in;
    iss->peripherals.uart[1].out = c->out1;
    struct hart *h = iss_only(iss);
    h->mtimecmp = devices->mtimecmp;
    h->msip = devices->msip;
    iss->htif.received = devices->htif.received;
    iss->htif.files = devices->htif.files;
    console_skip(c->in, devices->htif.received);
    console_skip(c->in, devices->peripherals.uart[0].received);
}

void resume_set_time(struct iss *iss, uint64_t mtime, uint64_t cycles) {
    iss->mtime_offset += mtime - iss_mtime(iss);
    struct hart *h = iss_only(iss);
    if (!(h->csr[CSR_MCOUNTINHIBIT] & 1)) h->mcycle_offset += cycles;
}

void resume_received(struct iss *iss) {
    iss->htif.received++;
    (void)console_byte(iss->console.in);
}

void resume_answered(struct iss *iss, uint64_t words, uint64_t result) {
    uint64_t call[5] = {0};
    char path[HOST_PATH + 1] = "";
    if (!iss_read(iss, words, call, sizeof call)) return;
    if (call[3] <= HOST_PATH) (void)iss_read(iss, call[2], path, call[3]);
    for (uint64_t typed = htif_follow(&iss->htif, call, path, (int64_t)result); iss->console.in && typed > 0; typed--)
        (void)console_byte(iss->console.in);
}

bool resume_possible(const struct iss *iss) {
    struct error unused;
    const struct hart *h = iss_only(iss);
    return h->pc >= DRAM_BASE && possible(h, &unused);
}
