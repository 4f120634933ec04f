// Life of the simulator, single steps with their record, runs, and access to the state.
#include "iss/iss.h"
#include "base/bootrom.h"
#include "iss/iss_internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const struct insn_info rows[] = {INSN_INFO_ROWS};

struct iss *iss_create(struct error *err) {
    struct iss *iss = calloc(1, sizeof *iss);
    struct page *straddle = calloc(1, sizeof *straddle);
    void *dram = mmap(NULL, DRAM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!iss || !straddle || dram == MAP_FAILED) {
        free(iss);
        free(straddle);
        if (dram != MAP_FAILED) munmap(dram, DRAM_BYTES);
        error_set(err, "instruction-set simulator: out of memory: free some and run again");
        return NULL;
    }
    for (size_t i = 0; i < PAGE_ENTRIES + 2; i++)
        straddle->entries[i].op = OP_PAGE_END;
    iss->straddle = straddle;
    iss->dram = dram;
    iss->autonomous = true;
    iss->fp = true;
    iss->pmp_entries = 8;
    iss->force_sc = -1;
    iss->tohost = NO_TOHOST;
    iss->pc = BOOTROM_BASE;
    iss->privilege = ISS_PRIVILEGE_M;
    iss->first_page = SIZE_MAX;
    iss_csr_reset(iss);
    iss_devices_reset(iss);
    return iss;
}

static void free_pages(struct iss *s) {
    free(s->bootrom_page);
    s->bootrom_page = NULL;
    for (size_t i = 0; i < RESUME_BYTES / PAGE_BYTES; i++) {
        free(s->resume_pages[i]);
        s->resume_pages[i] = NULL;
    }
    for (size_t i = s->first_page; i <= s->last_page; i++) {
        free(s->dram_pages[i]);
        s->dram_pages[i] = NULL;
    }
    s->first_page = SIZE_MAX;
    s->last_page = 0;
}

void iss_destroy(struct iss *iss) {
    if (!iss) return;
    free_pages(iss);
    munmap(iss->dram, DRAM_BYTES);
    free(iss->straddle);
    free(iss);
}

int iss_load(struct iss *iss, const struct image *image, struct error *err) {
    free_pages(iss);
    if (madvise(iss->dram, DRAM_BYTES, MADV_DONTNEED) != 0) memset(iss->dram, 0, DRAM_BYTES);
    memset(iss->resume, 0, sizeof iss->resume);
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        uint8_t *memory = iss_memory(iss, segment->address, segment->bytes, false);
        if (!memory) {
            error_set(err, "%s: segment outside memory at 0x%llx: link it into DRAM", image_path(image),
                      (unsigned long long)segment->address);
            return -EINVAL;
        }
        memcpy(memory, segment->data, segment->file_bytes);
    }
    bootrom_write(iss->bootrom, image_entry(image), iss->fp);
    memset(iss->x, 0, sizeof iss->x);
    memset(iss->f, 0, sizeof iss->f);
    iss->pc = BOOTROM_BASE;
    iss->privilege = ISS_PRIVILEGE_M;
    iss->steps = iss->retired = iss->mcycle_offset = iss->minstret_offset = 0;
    iss->reserved = iss->host_acts = false;
    uint64_t tohost, fromhost;
    if (htif_find(image, &tohost, &fromhost, err) < 0) return -EINVAL;
    iss->tohost = tohost ? tohost - DRAM_BASE : NO_TOHOST;
    htif_reset(&iss->htif, tohost, fromhost, iss->console.out, iss->console.in);
    iss_csr_reset(iss);
    iss_devices_reset(iss);
    return 0;
}

// ---- one step with its record ----
// *page: where to begin with it (iss_execute_at), or NULL.
static struct entry *entry_at(struct iss *s, uint64_t pc, struct page **page) {
    unsigned cause;
    *page = iss_page_at(s, pc, &cause);
    if (!*page) return NULL;
    struct entry *entry = &(*page)->entries[pc % PAGE_BYTES / 2];
    uint64_t physical = (*page)->physical + pc % PAGE_BYTES;
    if (__builtin_expect(entry->op == OP_UNDECODED, 0)) iss_decode(s, physical, entry);
    if (__builtin_expect(entry->op != OP_STRADDLE, 1)) return entry;
    *page = NULL;
    return iss_decode_straddle(s, pc, physical);
}

static void record_memory(struct iss *s, const struct entry *entry, struct iss_retire *out) {
    enum insn_unit unit = rows[entry->op].unit;
    if (unit == UNIT_STORE) {
        out->access = ISS_ACCESS_STORE;
    } else if (entry->op == INSN_LR_W || entry->op == INSN_LR_D) {
        out->access = ISS_ACCESS_LOAD;
    } else if (unit == UNIT_AMO && !(out->is_sc && !out->sc_success)) {
        out->access = ISS_ACCESS_STORE;
        memcpy(&out->data, s->dram + (out->address - DRAM_BASE), out->size);
    }
    if (out->access == ISS_ACCESS_LOAD) out->data = s->x[entry->rd];
}

// The two words that the host writes while the program runs.
static bool host_writes(const struct iss *s, uint64_t physical) {
    uint64_t word = physical & ~UINT64_C(7);
    return word && (word == s->htif.tohost || word == s->htif.fromhost);
}

// What it loaded came from a device or from the host.
static bool reads_others(const struct iss *s, const struct iss_retire *out) {
    return s->from_device || (out->access == ISS_ACCESS_LOAD && host_writes(s, out->address));
}

// before: the entry as it was (fence.i clears it), the address and the data as they were.
__attribute__((noinline)) static void record_more(struct iss *s, const struct entry *before, struct iss_retire *out) {
    enum insn_unit unit = rows[before->op].unit;
    if (unit == UNIT_STORE || unit == UNIT_AMO) {
        out->is_sc = before->op == INSN_SC_W || before->op == INSN_SC_D;
        out->sc_success = out->is_sc && s->x[before->rd] == 0;
        record_memory(s, before, out);
        out->reads_nondeterministic = reads_others(s, out);
    } else if (unit == UNIT_CSR) {
        out->csr_accessed = true;
        out->csr_written = s->csr_written;
        out->csr = (uint16_t)before->imm;
        out->reads_nondeterministic = iss_csr_nondeterministic(out->csr);
        iss_csr(s, out->csr, &out->csr_value);
    }
}

static void record(struct iss *s, const struct entry *before, struct iss_retire *out) {
    const struct insn_info *row = &rows[before->op];
    out->rd_fp = row->fp_operands & 1;
    const uint64_t value = (out->rd_fp ? s->f : s->x)[before->rd % X_SINK];
    if (before->rd != X_SINK) {
        out->rd_written = true;
        out->rd = before->rd;
        out->rd_value = value;
    }
    switch (row->unit) {
    case UNIT_LOAD:
        out->access = ISS_ACCESS_LOAD;
        out->data = before->rd != X_SINK ? value : s->x[X_SINK];
        out->reads_nondeterministic = reads_others(s, out);
        out->plain = !out->reads_nondeterministic;
        break;
    case UNIT_STORE:
    case UNIT_AMO:
    case UNIT_CSR: record_more(s, before, out); break;
    case UNIT_FENCE:
    case UNIT_SYS: break;
    default: out->plain = true; break;
    }
}

static void record_trap(const struct iss *s, bool interrupt, struct iss_retire *out) {
    out->trap = true;
    out->interrupt = interrupt;
    out->cause = s->trap_cause;
    out->epc = s->trap_epc;
    out->tval = s->trap_tval;
    out->next_pc = s->pc;
}

static unsigned access_bytes(const struct entry *entry, enum insn_unit unit) {
    if (unit == UNIT_AMO) return entry->insn & 0x1000 ? 8 : 4;
    switch (entry->op) {
    case INSN_LB:
    case INSN_LBU:
    case INSN_SB: return 1;
    case INSN_LH:
    case INSN_LHU:
    case INSN_SH: return 2;
    case INSN_LD:
    case INSN_SD:
    case INSN_FLD:
    case INSN_FSD: return 8;
    default: return 4;
    }
}

static void step_recorded(struct iss *s, struct iss_retire *out) {
    *out = (struct iss_retire){.pc = s->pc, .privilege = (uint8_t)s->privilege};
    struct entry before = {.op = OP_FETCH_FAULT, .rd = X_SINK};
    struct page *page;
    struct entry *entry = entry_at(s, s->pc, &page);
    if (entry) before = *entry;
    out->insn = before.insn;
    enum insn_unit unit = before.op < INSN_COUNT ? rows[before.op].unit : UNIT_NONE;
    uint64_t address = 0, data = 0;
    unsigned bytes = 0;
    if (s->privilege != ISS_PRIVILEGE_M || s->csr[CSR_MSTATUS] & MSTATUS_MPRV) {
        out->translated = !iss_is_bare(s, s->privilege);
        out->data_translated = !iss_is_bare(s, iss_data_privilege(s));
    }
    if (unit == UNIT_LOAD || unit == UNIT_STORE || unit == UNIT_AMO) {
        address = s->x[before.rs1] + (uint64_t)(int64_t)before.imm;
        bytes = access_bytes(&before, unit);
        if (unit == UNIT_STORE) {
            data = rows[before.op].fp ? s->f[before.rs2] : s->x[before.rs2];
            data &= ~UINT64_C(0) >> (64 - 8 * bytes);
        }
    }
    s->trapped = s->csr_written = s->from_device = false;
    s->physical = address;
    iss_execute_at(s, 1, page, entry);
    out->fflags = (uint8_t)s->csr[CSR_FFLAGS];
    if (s->trapped) {
        record_trap(s, false, out);
        return;
    }
    out->next_pc = s->pc;
    out->virtual_address = address;
    out->address = s->physical;
    out->size = (uint8_t)bytes;
    out->data = data;
    if (before.op < INSN_COUNT) record(s, &before, out);
}

void iss_take_interrupt(struct iss *iss, unsigned cause, struct iss_retire *out) {
    struct iss_retire unused;
    if (!out) out = &unused;
    *out = (struct iss_retire){
        .pc = iss->pc, .privilege = (uint8_t)iss->privilege, .translated = !iss_is_bare(iss, iss->privilege)};
    iss_trap(iss, iss->pc, cause, true, 0);
    out->fflags = (uint8_t)iss->csr[CSR_FFLAGS];
    record_trap(iss, true, out);
}

void iss_step(struct iss *iss, struct iss_retire *out) {
    int cause = iss->autonomous ? iss_pending(iss) : -1;
    if (cause >= 0) {
        iss_take_interrupt(iss, (unsigned)cause, out);
    } else if (out) {
        step_recorded(iss, out);
    } else {
        iss_execute(iss, 1);
    }
    if (iss->host_acts) iss_serve(iss);
}

uint64_t iss_run(struct iss *iss, uint64_t max) {
    uint64_t done = 0;
    while (done < max && !iss->htif.exited && !iss->htif.refused && !iss->peripherals.finisher.ended && !iss->marker) {
        int cause = iss->autonomous ? iss_pending(iss) : -1;
        if (cause >= 0) {
            iss_take_interrupt(iss, (unsigned)cause, NULL);
            done++;
            continue;
        }
        uint64_t limit = max - done, timer = iss_steps_to_timer(iss);
        if (timer > 0 && timer < limit) limit = timer;
        if (iss->host_acts && limit > HTIF_PATIENCE) limit = HTIF_PATIENCE;
        done += iss_execute(iss, limit);
        if (iss->host_acts) iss_serve(iss);
    }
    return done;
}

bool iss_exited(const struct iss *iss, uint64_t *code) {
    const struct finisher *finisher = &iss->peripherals.finisher;
    if (finisher->ended && code) *code = finisher->status;
    if (iss->htif.exited && code) *code = iss->htif.code;
    return iss->htif.exited || (finisher->ended && !finisher->reset);
}

bool iss_asks_for_reset(const struct iss *iss) {
    return iss->peripherals.finisher.reset;
}

bool iss_refused(const struct iss *iss, const char *program, struct error *err) {
    if (iss->htif.refused) htif_refusal(&iss->htif, program, err);
    return iss->htif.refused;
}

void iss_watch_markers(struct iss *iss, bool watch) {
    iss->markers = watch;
    iss->marker = 0;
    iss_drop_decoded(iss);
}

unsigned iss_take_marker(struct iss *iss) {
    unsigned marker = iss->marker;
    iss->marker = 0;
    return marker;
}

// ---- settings and state ----
void iss_set_autonomous(struct iss *iss, bool autonomous) {
    iss->autonomous = autonomous;
}
void iss_set_fp(struct iss *iss, bool fp) {
    iss->fp = fp;
    iss_csr_reset(iss);
    iss_drop_decoded(iss);
}
void iss_set_pmp_entries(struct iss *iss, unsigned entries) {
    iss->pmp_entries = entries;
    iss_csr_reset(iss);
}
void iss_set_ad_update(struct iss *iss, bool ad_update) {
    iss->ad_update = ad_update;
}
void iss_host_write(struct iss *iss, uint64_t address, uint64_t value) {
    uint8_t *memory = iss_memory(iss, address, sizeof value, true);
    if (memory) memcpy(memory, &value, sizeof value);
}
void iss_override(struct iss *iss, unsigned rd, uint64_t value) {
    iss_set_x(iss, rd, value);
}
void iss_set_sc(struct iss *iss, int force) {
    iss->force_sc = force;
}
void iss_set_device_read(struct iss *iss, iss_device_read *callback, void *context) {
    iss->device_read = callback;
    iss->device_context = context;
}
void iss_set_console(struct iss *iss, FILE *out, FILE *in) {
    iss->console.out = iss->peripherals.uart[0].out = iss->htif.out = out;
    iss->console.in = iss->peripherals.uart[0].in = iss->htif.in = in;
}
void iss_set_arguments(struct iss *iss, char *const *argv) {
    iss->htif.argv = argv;
}
void iss_set_second_console(struct iss *iss, FILE *out) {
    iss->console.out1 = iss->peripherals.uart[1].out = out;
}
bool iss_fetch_address(struct iss *iss, uint64_t pc, uint64_t *physical) {
    unsigned cause;
    const struct page *page = iss_page(iss, pc, &cause);
    if (page) *physical = page->physical + pc % PAGE_BYTES;
    return page != NULL;
}
bool iss_load_address(struct iss *iss, uint64_t address, uint64_t *physical) {
    unsigned cause;
    return iss_translate(iss, address, ISS_MMU_LOAD, iss->privilege, physical, &cause);
}
struct iss_registers iss_registers(const struct iss *iss) {
    return (struct iss_registers){&iss->pc, &iss->csr[CSR_FFLAGS], &iss->csr[CSR_MIP]};
}
uint64_t iss_pc(const struct iss *iss) {
    return iss->pc;
}
void iss_set_pc(struct iss *iss, uint64_t pc) {
    iss->pc = pc & ~UINT64_C(1);
}
uint64_t iss_fflags(const struct iss *iss) {
    return iss->csr[CSR_FFLAGS];
}
unsigned iss_privilege(const struct iss *iss) {
    return iss->privilege;
}
uint64_t iss_x(const struct iss *iss, unsigned number) {
    return iss->x[number & 31];
}
void iss_set_x(struct iss *iss, unsigned number, uint64_t value) {
    if (number & 31) iss->x[number & 31] = value;
}

uint64_t iss_f(const struct iss *iss, unsigned number) {
    return iss->f[number & 31];
}
void iss_set_f(struct iss *iss, unsigned number, uint64_t value) {
    iss->f[number & 31] = value;
}

bool iss_read(const struct iss *iss, uint64_t address, void *data, size_t bytes) {
    const uint8_t *memory = iss_memory((struct iss *)iss, address, bytes, false);
    if (memory) memcpy(data, memory, bytes);
    return memory != NULL;
}

bool iss_write(struct iss *iss, uint64_t address, const void *data, size_t bytes) {
    uint8_t *memory = iss_memory(iss, address, bytes, false);
    if (!memory) return false;
    memcpy(memory, data, bytes);
    iss_drop_decoded(iss);
    return true;
}
