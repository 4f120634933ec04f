// The hart, the machine, and what the files of this library share. Not for other libraries.
#ifndef TIPOFF_ISS_INTERNAL_H
#define TIPOFF_ISS_INTERNAL_H

#include "base/state.h"
#include "csrs.h"
#include "instructions.h"
#include "iss/iss.h"
#include "machine/harts.h"
#include "machine/htif.h"
#include "machine/peripherals.h"
#include "memory_map.h"
#include <stddef.h>

enum {
    CAUSE_FETCH_FAULT = 1,
    CAUSE_ILLEGAL = 2,
    CAUSE_BREAKPOINT = 3,
    CAUSE_LOAD_MISALIGNED = 4,
    CAUSE_LOAD_FAULT = 5,
    CAUSE_STORE_MISALIGNED = 6,
    CAUSE_STORE_FAULT = 7,
    CAUSE_ECALL_U = 8,
    CAUSE_ECALL_S = 9,
    CAUSE_ECALL_M = 11,
    CAUSE_FETCH_PAGE = 12,
    CAUSE_LOAD_PAGE = 13,
    CAUSE_STORE_PAGE = 15,
};

enum { IRQ_SSI = 1, IRQ_MSI = 3, IRQ_STI = 5, IRQ_MTI = 7, IRQ_SEI = 9, IRQ_MEI = 11, IRQ_LCOFI = 13 };

#define MSTATUS_SIE (UINT64_C(1) << 1)
#define MSTATUS_MIE (UINT64_C(1) << 3)
#define MSTATUS_SPIE (UINT64_C(1) << 5)
#define MSTATUS_MPIE (UINT64_C(1) << 7)
#define MSTATUS_SPP (UINT64_C(1) << 8)
#define MSTATUS_MPP (UINT64_C(3) << 11)
#define MSTATUS_FS (UINT64_C(3) << 13)
#define MSTATUS_MPRV (UINT64_C(1) << 17)
#define MSTATUS_SUM (UINT64_C(1) << 18)
#define MSTATUS_MXR (UINT64_C(1) << 19)
#define MSTATUS_TVM (UINT64_C(1) << 20)
#define MSTATUS_TW (UINT64_C(1) << 21)
#define MSTATUS_TSR (UINT64_C(1) << 22)
#define MSTATUS_SD (UINT64_C(1) << 63)

enum { INSTRUCTIONS_PER_TICK = 100 }; // of mtime, in autonomous mode
#define NO_TOHOST (UINT64_C(1) << 63)

// ---- decoded instructions ----
// A page of memory is decoded instruction by instruction when it is first executed. Ops are enum insn_op, except:
enum {
    OP_UNDECODED = INSN_ILLEGAL, // what a cleared entry holds
    OP_ILLEGAL = INSN_COUNT,
    OP_PAGE_END,    // past the page: go on at this pc in the next one
    OP_FETCH_FAULT, // imm: offset of the parcel that cannot be fetched; rs1: cause
    OP_MARKER,      // slti x0, x0, N, where those are looked for
    OP_STRADDLE,    // its second half is in the next page, wherever that is now: decoded again each time
    OP_COUNT
};
enum { PAGE_BYTES = 4096, PAGE_ENTRIES = PAGE_BYTES / 2 };
enum { X_SINK = 32 }; // writes to x0 go here

struct entry {
    uint32_t insn;  // as fetched
    int32_t imm;    // immediate; CSR: address; jump to an entry of its page: the distance to that, in bytes
    uint16_t body;  // bodies.h
    uint16_t count; // instructions from here to the block's end, this one too; 0: it is not decoded, or is none
    uint8_t op;
    uint8_t rd, rs1, rs2; // rd: X_SINK if none is written; rs1 of a CSR immediate form: the immediate
};
_Static_assert(sizeof(struct entry) == 16, "an entry is found by a shift");
_Static_assert(OP_COUNT <= UINT8_MAX, "entry.op");
static inline unsigned iss_halfwords(const struct entry *entry) {
    return (entry->insn & 3) == 3 ? 2 : 1;
}

// One entry a parcel, and two more for what follows the page's last instruction.
struct page {
    uint64_t physical; // address of the page
    uint64_t era;      // the hart's when it was last found to hold: of another one, it is to be cleared
    struct entry entries[PAGE_ENTRIES + 2];
};
// What makes the address of an entry and the pc of each other: an entry has eight times the bytes of its parcel.
enum { ENTRY_BYTES_A_BYTE = sizeof(struct entry) / 2 };
static inline uint64_t iss_entry_bias(const struct entry *entry, uint64_t pc) {
    return pc - (uintptr_t)entry / ENTRY_BYTES_A_BYTE;
}
static inline uint64_t iss_bias(const struct page *page, uint64_t pc) { // pc: any in the page
    return iss_entry_bias(page->entries, pc & ~(uint64_t)(PAGE_BYTES - 1));
}
static inline struct entry *iss_entry_of(uint64_t bias, uint64_t pc) {
    return (struct entry *)((pc - bias) * ENTRY_BYTES_A_BYTE);
}
static inline struct page *iss_page_of(struct entry *first) { // its first entry
    return (struct page *)((uint8_t *)first - offsetof(struct page, entries));
}
enum { ISS_JUMPS = 4096, ISS_RETURNS = 16 };
struct iss_table; // of bodies (execute_statements.h)
struct iss_quick;
struct hart;
typedef uint64_t iss_handler(struct entry *e, struct hart *h, void *memory, int64_t left,
                             const struct iss_table *table);

enum iss_mmu_access { ISS_MMU_FETCH, ISS_MMU_LOAD, ISS_MMU_STORE, ISS_MMU_LR, ISS_MMU_AMO }; // SC: as an AMO
enum { ISS_TLB_ENTRIES = 1024, SATP_SV39 = 8 };
// tag: bit 63 and the virtual page number (0: empty); the leaf, with the PPN of the 4 KiB page
#define ISS_TLB_STATE(FIELD)                                                                                           \
    FIELD(uint64_t, tag, , STATE_WITHOUT(UINT64_C(0x7ff) << 52))                                                       \
    FIELD(uint64_t, leaf, , STATE_ANY)
struct iss_tlb {
    ISS_TLB_STATE(STATE_MEMBER)
};
extern const struct state_table iss_tlb_table;

// What the TLB and the protection have allowed for a page of DRAM, in the form that costs an access least. Entry i says
// nothing that entry i of the TLB does not: both are dropped together, so that a run with it, and one that begins
// without it at a checkpoint, see the same translations. One table each for the rights that differ.
enum { ISS_QUICK_U, ISS_QUICK_S, ISS_QUICK_SUM, ISS_QUICK_M, ISS_QUICK_NONE, ISS_QUICK_TABLES }; // NONE: never filled
enum { ISS_QUICK_CODE_U, ISS_QUICK_CODE_S, ISS_QUICK_CODE_M, ISS_QUICK_CODES };
#define ISS_QUICK_EMPTY UINT64_MAX
struct iss_quick {
    uint64_t load, store; // address of the virtual page that may be accessed so, or ISS_QUICK_EMPTY
    uint64_t host;        // address in this process less virtual address
    uint64_t physical;    // physical less virtual address
};
struct iss_quick_code { // likewise of fetching, in DRAM or not
    uint64_t fetch;
    uint64_t bias; // of what is decoded of the page (iss_bias)
};

// ---- hart and machine ----
// Every member of the two stands in one of two lists each. STATE: what decides what the program does from here on; a
// checkpoint holds all of it (checkpoint.c goes through the lists), and DRAM; beside each, what a checkpoint may bring
// (base/state.h; what members must be to each other: restored.c). HOST: what does not, each for the reason given.
// clang-format off
#define HART_STATE(FIELD) \
    FIELD(uint64_t, x, [33], STATE_ANY) /* [X_SINK]: what was written to x0 */ \
    FIELD(uint64_t, f, [32], STATE_ANY) \
    FIELD(uint64_t, pc, , STATE_WITHOUT(1)) \
    FIELD(unsigned, privilege, , STATE_UP_TO(ISS_PRIVILEGE_M)) \
    FIELD(uint64_t, csr, [4096], STATE_ANY) /* what is stored; see csr.c for those that are computed */ \
    FIELD(uint64_t, steps, , STATE_ANY) /* instructions and traps; the counters are kept as differences to these two */ \
    FIELD(uint64_t, retired, , STATE_ANY) \
    FIELD(uint64_t, mcycle_offset, , STATE_ANY) \
    FIELD(uint64_t, minstret_offset, , STATE_ANY) \
    FIELD(bool, reserved, , STATE_FLAG) \
    FIELD(uint64_t, reserved_line, , STATE_ANY) \
    FIELD(unsigned, id, , STATE_UP_TO(UINT8_MAX)) /* what mhartid reads */ \
    FIELD(bool, fp, , STATE_FLAG) /* F and D exist */ \
    FIELD(unsigned, pmp_entries, , STATE_UP_TO(16)) \
    FIELD(bool, ad_update, , STATE_FLAG) /* sets A and D of page-table entries */ \
    FIELD(struct iss_tlb, tlb, [ISS_TLB_ENTRIES], STATE_OF(iss_tlb_table)) \
    FIELD(uint64_t, mtimecmp, , STATE_ANY) /* its registers of the CLINT */ \
    FIELD(bool, msip, , STATE_FLAG)

// The state that only machines of several harts have: checkpoints of one hart lack it.
#define HART_SEVERAL(FIELD) \
    FIELD(bool, waiting, , STATE_FLAG) /* in wfi: no interrupt that mie lets through is pending */

#define HART_HOST(FIELD) \
    FIELD(struct iss *, machine, ) /* whose hart it is */ \
    FIELD(bool, window, )          /* siselect and so on exist */ \
    FIELD(unsigned, ctr_depth, )   /* control transfer records of the core; 0: none */ \
    FIELD(bool, profileme, )       /* there is ProfileMe */ \
    FIELD(unsigned, place, )       /* among the machine's harts */ \
    /* Decoded instructions are made again. They are the hart's: its fence.i drops them. */ \
    FIELD(struct page **, dram_pages, ) /* one a page of DRAM; NULL: nothing decoded */ \
    FIELD(struct page *, bootrom_page, ) \
    FIELD(struct page *, resume_pages, [RESUME_BYTES / PAGE_BYTES]) \
    FIELD(uint64_t, era, )         /* goes up when all that is decoded is dropped */ \
    FIELD(size_t, first_page, )    /* of DRAM, of those that are decoded (first > last: none) */ \
    FIELD(size_t, last_page, ) \
    /* Follows from privilege, mstatus, satp and the PMP registers: iss_mode_changed. */ \
    FIELD(uint64_t, data_limit, )  /* bytes of DRAM that loads and stores reach as they are: all, or 0 where there is more to do */ \
    FIELD(uint64_t, data_limits, [4]) /* these for accesses of 1, 2, 4 and 8 bytes, in such units */ \
    FIELD(uint64_t, fetch_limit, ) /* likewise, of instructions: their addresses are the physical ones, and may be executed; 0 where there is more to do */ \
    /* Made again from the TLB, an access at a time. */ \
    FIELD(struct iss_quick, quick, [ISS_QUICK_TABLES][ISS_TLB_ENTRIES]) \
    FIELD(uint64_t, touched, [ISS_TLB_ENTRIES / 64]) /* a bit for each entry of TLB and tables that may hold something */ \
    FIELD(struct iss_quick *, quick_data, ) /* the table that holds for loads and stores now */ \
    FIELD(struct iss_quick_code, quick_codes, [ISS_QUICK_CODES][ISS_TLB_ENTRIES]) \
    FIELD(struct iss_quick_code *, quick_code, ) /* likewise for fetching */ \
    /* Of a run, while it goes on (execute_statements.h). */ \
    FIELD(uint64_t, bias, )        /* what makes the pc of the entry that is executed */ \
    FIELD(struct entry *, targets, [ISS_JUMPS]) /* guesses: entries that jumps have led to, by the jump, or by it and ... */ \
    FIELD(uint64_t, path, )        /* ... the jumps before it */ \
    FIELD(struct entry *, returns, [ISS_RETURNS]) /* likewise: what follows the last calls, ... */ \
    FIELD(unsigned, depth, )       /* ... this being the last */ \
    FIELD(int64_t, asked, )        /* instructions that it may have */ \
    FIELD(int64_t, synced, )       /* of them those that were left when steps and retired were last brought up to date */ \
    FIELD(uint64_t, tohost, )      /* the machine's, in words of 8 bytes */ \
    FIELD(const struct iss_table *, running, ) /* bodies of the mode, or what counts before it goes on to them */ \
    FIELD(const struct iss_table *, singles, ) /* likewise, each of one instruction: for steps */ \
    FIELD(uint64_t *, cells, )     /* counting: those of ... */ \
    FIELD(uint64_t, counted_page, ) /* ... this page */ \
    FIELD(struct page, straddle, ) /* an instruction across two pages is decoded into its last entry */ \
    FIELD(int16_t, csr_row, [4096]) /* row of csrs.tsv, -1: no such CSR; follows from fp, window and ctr_depth */ \
    FIELD(int, force_sc, )         /* lockstep: who uses the simulator decides */ \
    /* What the last step did, for its record. */ \
    FIELD(uint64_t, physical, )    /* address of the last load, store or AMO */ \
    FIELD(bool, trapped, ) \
    FIELD(bool, csr_written, ) \
    FIELD(bool, from_device, ) \
    FIELD(uint8_t, trap_cause, ) \
    FIELD(uint64_t, trap_epc, ) \
    FIELD(uint64_t, trap_tval, ) \
    FIELD(bool, trap_interrupt, ) \
    FIELD(uint64_t, trap_steps, )  /* steps up to and with the last trap; 0: there was none */

#define MACHINE_STATE(FIELD) \
    FIELD(uint8_t, bootrom, [BOOTROM_BYTES], STATE_ANY) \
    FIELD(uint8_t, resume, [RESUME_BYTES], STATE_ANY) \
    FIELD(uint64_t, tohost, , STATE_ANY) /* offset in DRAM of the 8-byte word, NO_TOHOST: none */ \
    FIELD(struct htif, htif, , STATE_OF(htif_table)) /* idle in lockstep: there the core's harness is the host */ \
    FIELD(bool, host_acts, , STATE_FLAG) /* it has something to do, or waits for more of a command */ \
    FIELD(uint64_t, mtime_offset, , STATE_ANY) /* mtime goes by the steps of the harts */ \
    FIELD(struct peripherals, peripherals, , STATE_OF(peripherals_table))

#define MACHINE_SEVERAL(FIELD) \
    FIELD(unsigned, turn, , STATE_UP_TO(MACHINE_MOST_HARTS - 1)) /* whose it is (schedule.c) ... */ \
    FIELD(uint64_t, slice, , STATE_UP_TO(ISS_MOST_QUANTUM)) /* ... and for how many more instructions and traps */ \
    FIELD(uint64_t, quantum, , STATE_BETWEEN(ISS_LEAST_QUANTUM, ISS_MOST_QUANTUM)) /* of a whole turn */ \
    FIELD(uint64_t, idle, , STATE_ANY) /* instructions that waiting harts let pass in their turns: time goes on */ \
    FIELD(struct plic_further, plic_further, , STATE_OF(plic_further_table))

#define MACHINE_HOST(FIELD) \
    FIELD(uint8_t *, dram, )       /* a checkpoint has what it points to ... */ \
    FIELD(uint64_t, dram_bytes, )  /* ... and how much that is: a size of base/memory_size.h */ \
    /* Who uses the simulator, and how. */ \
    FIELD(bool, autonomous, ) \
    FIELD(struct console, console, ) \
    FIELD(struct htif_host, host, ) \
    FIELD(iss_device_read *, device_read, ) \
    FIELD(void *, device_context, ) \
    FIELD(struct iss_counts *, counts, ) /* of executions (counts.c); NULL: not counted */ \
    FIELD(unsigned, caller, )      /* the hart that the host, or the finisher, heard last */ \
    FIELD(bool, markers, )         /* marker instructions end a run ... */ \
    FIELD(unsigned, marker, )      /* ... and this is the one that did; 0: none */
// clang-format on

#define ISS_MEMBER(type, name, dimension) type name dimension;
struct hart {
    HART_STATE(STATE_MEMBER)
    HART_SEVERAL(STATE_MEMBER)
    HART_HOST(ISS_MEMBER)
};

// The machine: memory, devices, its harts.
struct iss {
    MACHINE_STATE(STATE_MEMBER)
    MACHINE_SEVERAL(STATE_MEMBER)
    MACHINE_HOST(ISS_MEMBER)
    unsigned hart_count; // 1 to MACHINE_MOST_HARTS
    struct hart *harts;
};

static inline bool iss_is_dram(const struct iss *iss, uint64_t physical) {
    return physical - DRAM_BASE < iss->dram_bytes;
}
static inline struct plic_harts iss_plic(const struct iss *iss) {
    return (struct plic_harts){(struct plic *)&iss->peripherals.plic, (struct plic_further *)&iss->plic_further,
                               iss->hart_count};
}

// hart.c
void iss_hart_begin(struct hart *h, struct iss *machine, unsigned place); // once, of zeros
void iss_hart_reset(struct hart *h);                                      // as it is when power comes on
// decode.c
// The instructions from the page's entry `first` to the end of their block: a jump or another that does not simply go
// on to the next, the page's end, or one that is decoded already.
void iss_decode(struct hart *h, struct page *page, size_t first);
// Decodes the instruction at pc, whose second half is in the next page: first entry of h->straddle.
struct entry *iss_decode_straddle(struct hart *h, uint64_t pc, uint64_t physical);
struct page *iss_page(struct hart *h, uint64_t pc, unsigned *cause); // decoded page that holds pc; NULL: the exception
void iss_drop_decoded(struct hart *h);
// A page of DRAM that has been decoded before, fetched from without translation; NULL: another.
static inline struct page *iss_known_page(struct hart *h, uint64_t pc) {
    uint64_t offset = pc - DRAM_BASE;
    struct page *page = offset < h->fetch_limit ? h->dram_pages[offset / PAGE_BYTES] : NULL;
    return page && page->era == h->era ? page : NULL;
}
// iss_page, which most of the time is such a page.
static inline struct page *iss_page_at(struct hart *h, uint64_t pc, unsigned *cause) {
    struct page *page = iss_known_page(h, pc);
    if (page) return page;
    const uint64_t first = pc & ~(uint64_t)(PAGE_BYTES - 1);
    const struct iss_quick_code *code = &h->quick_code[pc / PAGE_BYTES % ISS_TLB_ENTRIES];
    return code->fetch == first ? iss_page_of(iss_entry_of(code->bias, first)) : iss_page(h, pc, cause);
}
// fp_execute.c
bool iss_fp_execute(struct hart *h, const struct entry *entry); // unit fp; false: illegal
// csr.c
void iss_csr_reset(struct hart *h);
void iss_csr_rows(struct hart *h);                               // which CSRs there are, from fp and window
bool iss_csr_execute(struct hart *h, const struct entry *entry); // false: illegal
bool iss_csr_is_event(const struct hart *h, unsigned address);   // after a write of it: see execute.c
uint64_t iss_mip(const struct hart *h);
bool iss_csr_nondeterministic(unsigned address);
static inline bool iss_fp_is_on(const struct hart *h) {
    return h->csr[CSR_MSTATUS] & MSTATUS_FS;
}
static inline void iss_fp_dirty(struct hart *h) {
    h->csr[CSR_MSTATUS] |= MSTATUS_FS;
}
// mmu.c
static inline unsigned iss_pmp_config(const struct hart *h, unsigned region) { // its byte of pmpcfg
    return h->csr[region < 8 ? CSR_PMPCFG0 : CSR_PMPCFG2] >> (8 * (region % 8)) & 0xff;
}
void iss_mode_changed(struct hart *h); // after a change of privilege, mstatus, satp or PMP registers
void iss_tlb_flush(struct hart *h);
void iss_tlb_unknown(struct hart *h); // it may hold anything: from a file, or it was never flushed
void iss_quick_flush(struct hart *h);
void iss_quick_choose(struct hart *h); // the tables for the privilege and mstatus, part of iss_mode_changed
// Notes that an access to va, which is at pa in DRAM, has been allowed; of a fetch: what is decoded of its page.
void iss_quick_data(struct hart *h, uint64_t va, uint64_t pa, bool store);
void iss_quick_code(struct hart *h, uint64_t va, struct page *code);
static inline unsigned iss_data_privilege(const struct hart *h) { // of loads and stores
    uint64_t mstatus = h->csr[CSR_MSTATUS];
    return mstatus & MSTATUS_MPRV ? (mstatus & MSTATUS_MPP) >> 11 : h->privilege;
}
static inline bool iss_is_bare(const struct hart *h, unsigned privilege) { // nothing is translated
    return privilege == ISS_PRIVILEGE_M || h->csr[CSR_SATP] >> 60 != SATP_SV39;
}
bool iss_pmp_allows(const struct hart *h, uint64_t physical, enum iss_mmu_access access, unsigned privilege);
// Physical address of an access, with its protection checked; false: *cause. Does not look whether there is memory,
// unless it is to set A or D.
bool iss_translate(struct hart *h, uint64_t va, enum iss_mmu_access access, unsigned privilege, uint64_t *pa,
                   unsigned *cause);
// trap.c
bool iss_sret(struct hart *h); // false: illegal
// Alone, it lets time pass until the timer; one of several harts waits for an interrupt. False: illegal.
bool iss_wfi(struct hart *h);
void iss_trap(struct hart *h, uint64_t epc, unsigned cause, bool interrupt, uint64_t tval);
bool iss_mret(struct hart *h);         // false: illegal
int iss_pending(const struct hart *h); // cause of the interrupt to take now, or -1
// memory.c: everything that the fast path cannot do. False: *cause is set.
__attribute__((nonnull)) bool iss_load_slow(struct hart *h, uint64_t address, unsigned bytes, uint64_t *value,
                                            unsigned *cause);
bool iss_store_slow(struct hart *h, uint64_t address, unsigned bytes, uint64_t value, unsigned *cause);
bool iss_amo(struct hart *h, const struct entry *entry, unsigned *cause);
// After a store: if it was to the word tohost, the host acts after this step (iss_serve).
void iss_tohost(struct hart *h, uint64_t address, unsigned bytes, uint64_t value);
void iss_serve(struct iss *iss);
uint8_t *iss_memory(struct iss *iss, uint64_t address, size_t bytes, bool write); // NULL: not (writable) memory
bool iss_is_device(uint64_t address);
// devices.c
void iss_devices_reset(struct iss *iss);
uint64_t iss_device_load(struct iss *iss, uint64_t address, unsigned bytes);
void iss_device_store(struct iss *iss, uint64_t address, unsigned bytes, uint64_t value);
uint64_t iss_clock(const struct iss *iss); // goes on by one a step of any hart, and in the turns of those that wait
uint64_t iss_mtime(const struct iss *iss);
uint64_t iss_steps_to_timer(const struct hart *h); // 0: MTIP is pending
// execute.c: at least one instruction or trap, at most limit; stops at events. page, entry: those of the next
// instruction where they are known, decoded and not across two pages; else NULL.
uint64_t iss_execute_at(struct hart *h, uint64_t limit, struct page *page, struct entry *entry);
static inline uint64_t iss_execute(struct hart *h, uint64_t limit) {
    return iss_execute_at(h, limit, NULL, NULL);
}
// execute_slow.c: the end of a run before pc with `left` instructions left of it, and by an exception there.
uint64_t iss_stop(struct hart *h, uint64_t pc, int64_t left);
uint64_t iss_raise(struct hart *h, uint64_t pc, int64_t left, unsigned cause, uint64_t tval);
static inline void *iss_memory_of(struct hart *h) { // for the bodies of the mode
    return h->data_limit ? (void *)h->machine->dram : h->quick_data;
}
void iss_choose_tables(struct hart *h); // for the mode, and whether the machine counts
void iss_count_page(struct hart *h, uint64_t pc);
// counts.c: the cells of the page of pc in the hart's mode and address space, one a parcel.
uint64_t *iss_counts_at(struct hart *h, uint64_t pc);
void iss_counts_destroy(struct iss_counts *counts); // NULL is fine
// restored.c: whether a machine whose state came from a file is one that can be; else *fault says what is not so.
bool iss_restored(const struct iss *iss, const char **fault);
// csr.c: whether no CSR holds what none can.
bool iss_csrs_possible(const struct hart *h);
// record.c: the decoded instruction at pc, NULL: it cannot be fetched. *page: where to begin with it (iss_execute_at),
// or NULL.
struct entry *iss_entry_at(struct hart *h, uint64_t pc, struct page **page);
// One instruction or trap; an interrupt (out may be NULL).
void iss_step_recorded(struct hart *h, struct iss_retire *out);
void iss_interrupt_recorded(struct hart *h, unsigned cause, struct iss_retire *out);

#endif
