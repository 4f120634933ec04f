// What a hart in lockstep is shown of memory that other harts store to.
//
// A load's value is proved (memory_order.h). Of code and page tables the hart may have seen memory as it is now, or as
// it was since its last fence of that kind: both are right, and which it was shows in what the core did. So the ISS
// keeps what it has where it leads to the same (the same instruction, address or fault), and is shown memory as it is
// where it does not, or where nothing else is allowed.
#include "workers/hart_view.h"
#include "csrs.h"
#include "isa/rvc.h"
#include <stdbool.h>

enum { CAUSE_FETCH_PAGE = 12, CAUSE_LOAD_PAGE = 13, CAUSE_STORE_PAGE = 15 };

// Memory's word, if it is not the ISS's. False: it is.
static bool differs(const struct hart_view *v, enum memory_order_renews what, uint64_t address, unsigned bytes,
                    struct memory_order_word *now) {
    uint64_t known = 0;
    return memory_order_now(v->order->checker, v->order->hart, what, address, bytes, now) &&
           iss_read(v->iss, address, &known, bytes) && known != now->word;
}

// ---- translations ----
enum { PAGE_SHIFT = 12, SATP_ASID = 44, ASID_MASK = 0xffff, PTE_V = 1, PTE_VRWX = 15, PTE_G = 0x20 };

// A fence that names a page or an address space: nothing older than what the hart has seen counts there any more.
static void note_fence(const struct hart_view *v, uint32_t insn) {
    enum { SFENCE_VMA = 0x12000073, OPERANDS = 0x01ff8000, REGISTER = 31 };
    const unsigned rs1 = insn >> 15 & REGISTER, rs2 = insn >> 20 & REGISTER;
    if ((insn & ~(uint32_t)OPERANDS) != SFENCE_VMA || !(rs1 | rs2)) return;
    v->order->fences[v->order->fence_count++ % HART_FENCES] =
        (struct hart_fence){rs1 ? hart_x(v->hart, rs1) >> PAGE_SHIFT : HART_FENCE_ALL,
                            rs2 ? hart_x(v->hart, rs2) & ASID_MASK : HART_FENCE_ALL,
                            memory_order_seen_until(v->order->checker, v->order->hart)};
}

// Whether such a fence of this address came after that time. Of an address space, it passes global entries over; of a
// page, those that lead to other tables.
static bool fenced(const struct hart_view *v, uint64_t va, uint64_t entry, uint64_t written) {
    const struct hart_order *o = v->order;
    uint64_t satp = 0;
    hart_csr(v->hart, CSR_SATP, &satp);
    for (unsigned i = 0; i < HART_FENCES && i < o->fence_count; i++) {
        const struct hart_fence *f = &o->fences[i];
        const bool here = f->page == HART_FENCE_ALL || (f->page == va >> PAGE_SHIFT && (entry & PTE_VRWX) != PTE_V);
        const bool mine = f->asid == HART_FENCE_ALL || (f->asid == (satp >> SATP_ASID & ASID_MASK) && !(entry & PTE_G));
        if (here && mine && written <= f->until) return true;
    }
    return false;
}

// Entries of page tables that another hart has stored: those that are the only ones that a walk may find, or all. From
// the root on: what one becomes says where the next one is.
static void show_tables(const struct hart_view *v, uint64_t va, bool all) {
    uint64_t entries[3];
    for (unsigned i = 0, count = hart_table_entries(v->hart, va, entries); i < count; i++) {
        struct memory_order_word now;
        if (!differs(v, MEMORY_ORDER_TABLES, entries[i], sizeof now.word, &now) ||
            !(all || now.only || fenced(v, va, now.word, now.written)))
            continue;
        iss_show(v->iss, entries[i], sizeof now.word, now.word);
        count = hart_table_entries(v->hart, va, entries);
    }
}

static void show_all_tables(const struct hart_view *v, uint64_t va) {
    show_tables(v, va, true);
    hart_forget(v->hart, va);
}

// What the core did there. to: the physical address; NULL: it is not known.
static void settle(const struct hart_view *v, uint64_t va, enum hart_access access, bool faults, const uint64_t *to) {
    uint64_t at;
    if (!hart_translates(v->hart)) return;
    show_tables(v, va, false);
    const bool reached = hart_reaches(v->hart, va, access, &at);
    if (faults ? reached : !reached || (to && *to != at)) show_all_tables(v, va);
}

// ---- code ----
// Code that another hart has stored. Where the old word may still be fetched, too, the core's says which it was; of an
// exception (core NULL) nobody does. Returns whether the ISS's word is the core's.
static bool show_code(const struct hart_view *v, const uint32_t *insn) {
    struct memory_order_word now;
    uint64_t address, known = 0;
    if (!hart_fetch_address(v->hart, hart_pc(v->hart), &address)) return false;
    if (!insn && !iss_read(v->iss, address, &known, 2)) return false;
    const unsigned bytes = ((insn ? *insn : known) & 3) == 3 ? 4 : 2;
    if (differs(v, MEMORY_ORDER_CODE, address, bytes, &now) && (now.only || (insn && now.word == *insn)))
        iss_write(v->iss, address, &now.word, bytes);
    return !insn || (iss_read(v->iss, address, &known, bytes) && known == *insn);
}

static void show_fetch(const struct hart_view *v, const uint32_t *insn) {
    const uint64_t pc = hart_pc(v->hart), last = pc + 2;
    settle(v, pc, HART_FETCHES, false, NULL);
    if ((last & 0xfff) == 0 && insn && (*insn & 3) == 3) settle(v, last, HART_FETCHES, false, NULL);
    if (show_code(v, insn)) return;
    show_all_tables(v, pc);
    show_code(v, insn);
}

// ---- data ----
// Of what an instruction accesses, 16-bit forms, too. False: it accesses nothing.
static bool data_address(uint32_t insn, const struct hart *hart, uint64_t *va, enum hart_access *access) {
    enum { LOAD = 0x03, LOAD_FP = 0x07, STORE = 0x23, STORE_FP = 0x27, AMO = 0x2f, LR = 0x10000000 };
    const uint32_t word = insn_word(insn), opcode = word & 0x7f;
    const int32_t high = (int32_t)word >> 25;
    const bool stores = opcode == STORE || opcode == STORE_FP, loads = opcode == LOAD || opcode == LOAD_FP;
    int32_t offset = loads ? (int32_t)word >> 20 : stores ? high * 32 + (int32_t)(word >> 7 & 31) : 0;
    *va = hart_x(hart, word >> 15 & 31) + (uint64_t)(int64_t)offset;
    *access = loads || (opcode == AMO && (word & 0xf8000000) == LR) ? HART_LOADS : HART_STORES;
    return loads || stores || opcode == AMO;
}

void hart_view_before(const struct hart_view *v, const struct retired *core) {
    struct memory_order_seen seen;
    enum hart_access access;
    uint64_t va;
    show_fetch(v, &core->insn);
    note_fence(v, core->insn);
    const bool sees = hart_order_sees(v->order, core->insn, &seen);
    const uint64_t *to = sees ? &seen.address : core->stored ? &core->store_addr : NULL;
    if (data_address(core->insn, v->hart, &va, &access)) settle(v, va, access, false, to);
    if (sees) iss_show(v->iss, seen.address, seen.size, seen.word);
}

void hart_view_before_trap(const struct hart_view *v, const struct trapped *trap) {
    if (trap->cause == CAUSE_FETCH_PAGE) {
        settle(v, trap->tval, HART_FETCHES, true, NULL);
        return;
    }
    show_fetch(v, NULL);
    if (trap->cause == CAUSE_LOAD_PAGE) settle(v, trap->tval, HART_LOADS, true, NULL);
    if (trap->cause == CAUSE_STORE_PAGE) settle(v, trap->tval, HART_STORES, true, NULL);
}
