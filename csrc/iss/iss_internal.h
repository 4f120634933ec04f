// What the files of this library share. Not for other libraries.
#ifndef TIPOFF_ISS_INTERNAL_H
#define TIPOFF_ISS_INTERNAL_H

#include "base/hash_index.h"
#include "iss/flow.h"
#include "iss/iss_state.h"
#include "profile/place.h"

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
void iss_mode_changed(struct hart *h);          // after a change of privilege, mstatus, satp or PMP registers
void iss_tlb_drop(struct hart *h, uint64_t va); // the entry of that page
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
static inline uint64_t iss_line_of(uint64_t address) { // what a reservation holds
    return address / 64;
}
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
uint64_t *iss_cells_at(struct iss_counts *c, uint64_t pc, uint64_t context); // context: of profile/place.h
bool iss_cells_whole(const struct iss_counts *c);                            // no memory was missing
struct iss_counts *iss_counts_create(void);                                  // NULL: no memory
uint64_t iss_context(const struct hart *h);                                  // its mode and address space
void iss_counts_destroy(struct iss_counts *counts);                          // NULL is fine
// flow.c
struct iss_flow_block {
    struct place place;
    uint64_t instructions; // since they were last taken
    uint64_t counts;       // all ones: its instructions do (iss_flow_count_by); 0: they do not
    uint32_t edge;         // one that leaves it, the one taken last; 0: none yet
};
struct iss_flow_edge {
    uint32_t from, to; // numbers of blocks
    bool event;        // iss_flow_edges
    uint64_t times;
};
struct iss_flow {
    struct iss_counts *numbers; // of blocks, by where they begin
    uint64_t counted;           // of blocks that count, ever
    iss_flow_counts *counts;    // NULL: all do
    void *counts_context;
    // Marks: addresses in ascending order, and the same by hash; 0 slots: none.
    uint64_t *marks;
    uint32_t *mark_slots; // number plus 1
    size_t mark_count;
    unsigned mark_bits;
    uint64_t mark_offsets[PAGE_ENTRIES / 64]; // those in their pages
    iss_flow_marked *marked;
    void *marked_context;
    bool stopped; // a mark ended the run
    // Edges between blocks, from number 1 on; where `edges` is not NULL.
    struct iss_flow_edge *edges;
    size_t edge_count, edge_capacity;
    struct hash_index edge_index;
    struct iss_flow_block *blocks;
    uint64_t *touched; // blocks with instructions, each once; as many as there are blocks
    size_t count, capacity, touched_count, touched_capacity;
    bool partial; // no memory for another block: its instructions are block 0's
};
void iss_flow_destroy(struct iss_flow *flow);                     // NULL is fine
void iss_flow_begin(struct hart *h, uint64_t pc, int64_t before); // a block, before its first instruction
void iss_flow_resume(struct hart *h);                             // a run begins at h->pc
void iss_flow_pause(struct hart *h, uint64_t pc);                 // ... and ends, stepped
void iss_flow_add_edge(struct iss_flow *f, uint64_t from, uint64_t to, bool event); // flow_edges.c: once more
void iss_flow_take_edge(struct iss_flow *f, uint64_t from); // the one that left it last: once less
// flow_marks.c. Whether there are any; whether an instruction at this physical address, or at this virtual one, may be
// marked: where addresses are translated, by its place in the page.
static inline bool iss_flow_marks(const struct hart *h) {
    const struct iss_flow *f = h->machine->flow;
    return f && f->mark_count;
}
bool iss_flow_may_mark(const struct hart *h, uint64_t address);
bool iss_flow_met(struct hart *h, uint64_t pc, int64_t before); // reports it if it is marked; true: the run ends here
// What was executed since it was last asked, in the block that goes on. before: left of the run.
static inline void iss_flow_account(struct hart *h, int64_t before) {
    struct iss_flow *f = h->machine->flow;
    const uint64_t executed = (uint64_t)(h->flow.left - before);
    struct iss_flow_block *block = &f->blocks[h->flow.block];
    h->flow.left = before;
    if (executed && !block->instructions) f->touched[f->touched_count++] = h->flow.block;
    block->instructions += executed;
    f->counted += executed & block->counts;
}
static inline void iss_flow_next(struct hart *h, int64_t before, uint64_t number) {
    iss_flow_account(h, before);
    h->flow.block = number;
}
// accesses.c
void iss_note_access(struct hart *h, unsigned bytes, bool store); // at h->physical, if it is to be
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

// ---- triggers on addresses (triggers.c) ----
static inline bool iss_is_trigger(unsigned address) {
    return address >= CSR_TSELECT && address <= CSR_TINFO;
}
void iss_triggers_reset(struct hart *h);
uint64_t iss_trigger_read(const struct hart *h, unsigned address); // of those of iss_is_trigger
// value: what its mask makes of it. False: it is none of them.
bool iss_trigger_write(struct hart *h, unsigned address, uint64_t value);

#endif
