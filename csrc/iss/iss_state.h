// The state of the hart and of the machine, and the forms in which instructions and translations are kept. Not for
// other libraries.
#ifndef TIPOFF_ISS_STATE_H
#define TIPOFF_ISS_STATE_H

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

// A trigger's registers.
struct iss_trigger {
    uint64_t control, address; // tdata1, tdata2
};

// Where a hart is in the flow of control, as flow.c watches it.
struct iss_flow_at {
    uint64_t block; // number of the block, from 1 on (0: none yet), ...
    int64_t left;   // ... and how much of the run was left when its instructions were last accounted for
    uint64_t begin; // of a block that is stepped: its first instruction
    // Where a run ended within a block that the next one goes on with; mid_block 0: not so.
    uint64_t mid, mid_block;
    uint64_t from;    // the block that it came from by an edge that was added last; 0: there was none
    uint64_t stopped; // at a mark that was reported, and ended the run: its address, odd; 0: not so
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
    FIELD(unsigned, triggers, )    /* on addresses; their registers are reset after a checkpoint, as the counters are */ \
    FIELD(unsigned, trigger, )     /* that tselect names */ \
    FIELD(struct iss_trigger, tdata, [ISS_TRIGGERS]) \
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
    FIELD(const struct iss_table *, within, )  /* likewise, after the first instruction of a block */ \
    FIELD(const struct iss_table *, singles, ) /* likewise, each of one instruction: for steps */ \
    FIELD(uint64_t *, cells, )     /* counting: those of ... */ \
    FIELD(uint64_t, counted_page, ) /* ... this page */ \
    FIELD(struct iss_flow_at, flow, ) /* watching the flow of control: where it is */ \
    FIELD(uint64_t *, noted, )     /* watching accesses: where the next one is noted (accesses.c), and ... */ \
    FIELD(uint64_t *, noted_end, ) /* ... the end of the room for them */ \
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
    FIELD(bool, held, )            /* time goes on by iss_pass_time alone */ \
    FIELD(struct console, console, ) \
    FIELD(struct htif_host, host, ) \
    FIELD(iss_device_read *, device_read, ) \
    FIELD(void *, device_context, ) \
    FIELD(struct iss_counts *, counts, ) /* of executions (counts.c); NULL: not counted */ \
    FIELD(struct iss_flow *, flow, ) /* of control (flow.c); NULL: not watched */ \
    FIELD(struct iss_accesses *, accesses, ) /* to data (accesses.c); NULL: not watched */ \
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

#endif
