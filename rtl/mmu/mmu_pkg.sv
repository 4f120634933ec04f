// Address translation and physical memory protection: types, and what may be accessed (privileged manual, Sv39, PMP).
//
//   fetch F1 --> instruction TLB --miss--+
//                                        +--> mmu: L2 TLB, then the page-table walker --> data cache
//   lsu EX  --> data TLB ---------miss---+
//
// A TLB holds valid leaf entries only. Whether an access is allowed is decided at each use, so that a change of
// privilege, SUM or MXR needs no flush; what physical memory protection grants comes with the leaf, and goes with it
// when a PMP register is written. A fault found by a walk goes to those who asked and is kept nowhere.
package mmu_pkg;
  import config_pkg::*;
  import core_pkg::*;

  typedef logic [26:0] vpn_t;   // virtual page number: three levels of 9 bits
  typedef logic [43:0] ppn_t;   // physical page number
  typedef logic [AsidBits-1:0] asid_t;

  typedef enum logic [1:0] { ACCESS_FETCH, ACCESS_LOAD, ACCESS_STORE } access_e;

  // What the CSRs say of translation and protection. Constant while an instruction that follows a change is in flight:
  // writes of satp, mstatus and the PMP registers, traps and returns flush.
  typedef struct packed {
    logic sv39;          // satp.MODE
    asid_t asid;         // satp.ASID
    ppn_t root;          // satp.PPN
    logic sum;           // S-mode may access U pages
    logic mxr;           // loads may read what is executable
    priv_e fetch_priv;
    priv_e data_priv;    // with mstatus.MPRV applied
  } vm_t;

  typedef struct packed {
    logic d, a, u, x, w, r;  // bits of the leaf entry; V is 1
  } perms_t;

  typedef struct packed {
    logic x, w, r;
  } rights_t;

  typedef struct packed {
    logic [Regions-1:0] regions;  // of the memory map: which the page number lies in; known as the next
    // to S and U by physical memory protection: known of leaves that go to the first-level TLBs (page_rights)
    rights_t granted;
    logic g;             // of all address spaces: G of the leaf entry or of one above it
    logic [1:0] level;   // 0: 4 KiB, 1: 2 MiB, 2: 1 GiB
    ppn_t ppn;           // aligned to the level
    perms_t perms;
  } leaf_t;

  // A walk for a page, and its end. One request is taken at a time in a cycle with ready; ends come in any later cycle
  // and are seen by both TLBs (a TLB fills only for pages that it asked for).
  typedef struct packed {
    logic valid;
    vpn_t vpn;
  } walk_req_t;
  typedef struct packed {
    logic valid;
    logic fetch;         // asked for by the instruction TLB, else by the data TLB
    vpn_t vpn;
    logic page_fault;    // no valid leaf there
    logic access_fault;  // the walk met an address that may not be read
    leaf_t leaf;         // without fault
  } walk_resp_t;

  // What the TLBs drop, and what is on its way into them. With both conditions, what meets both. A TLB may drop more.
  typedef struct packed {
    // walks under way, and translations that wait to be used: with every change of a CSR or an entry
    logic walks;
    logic entries;       // entries of TLBs; all that follows counts with it only
    logic by_asid;       // only those of this address space, and none that is global
    asid_t asid;
    logic by_page;       // only those that cover this page
    vpn_t vpn;
  } tlb_flush_t;
  localparam tlb_flush_t FlushAll = '{walks: 1'b1, entries: 1'b1, by_asid: 1'b0, asid: '0, by_page: 1'b0, vpn: '0};

  // The end of a walk that looks for a leaf's entry itself.
  typedef struct packed {
    logic valid;
    logic page_fault;
    logic access_fault;
    leaf_t leaf;         // without fault
    word_t addr;         // of the entry
    word_t entry;        // as the walk has read it
  } table_leaf_t;

  // Table entries through the data cache: requests are held until done, the data comes with done.
  typedef struct packed {
    logic valid;
    word_t addr;
  } table_read_t;
  typedef struct packed {
    logic done;
    logic error;         // the bus has answered with an error: no data
    word_t data;
  } table_data_t;
  // If the entry is still what a walk has read, it becomes another, and nobody can come between.
  typedef struct packed {
    logic valid;
    word_t addr;         // of the entry
    word_t old;
    word_t new_;
  } table_swap_t;
  typedef struct packed {
    logic done;          // swapped, or the entry was another already
    logic error;         // the bus has answered with an error: there is no entry
  } table_swapped_t;
  typedef struct packed {
    table_read_t read;
    table_swap_t swap;
  } table_access_t;
  typedef struct packed {
    table_data_t read;
    table_swapped_t swapped;
  } table_answer_t;

  // The walker's answers: to a request, and how a walk ends.
  typedef struct packed {
    logic ready;
    walk_resp_t resp;
  } walk_answer_t;

  // A page fault of the oldest instruction.
  typedef struct packed {
    logic valid;
    cause_t cause;
    word_t tval;
  } page_fault_t;

  // One region of physical memory protection, in pages: base <= ppn < limit. Precomputed from pmpcfg and pmpaddr.
  typedef struct packed {
    logic on;            // A is not off
    logic locked;        // holds for M-mode too
    logic x, w, r;
    logic [44:0] base, limit;
  } pmp_region_t;
  localparam int unsigned PmpRegions = PmpEntries > 0 ? PmpEntries : 1;  // with 0 entries: one that is off

  // Sign extension of bit 38: an address that Sv39 can translate.
  /* verilator lint_off UNUSEDSIGNAL */  // takes its part of an address
  function automatic logic canonical(input word_t va);
  /* verilator lint_on UNUSEDSIGNAL */
    canonical = va[63:38] == '0 || va[63:38] == '1;
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */  // one struct for all units
  function automatic logic translates(input vm_t vm, input priv_e priv);
  /* verilator lint_on UNUSEDSIGNAL */
    translates = vm.sv39 && priv != PRIV_M;
  endfunction

  // Whether these rights are enough.
  function automatic logic grants(input rights_t rights, input access_e access);
    case (access)
      ACCESS_FETCH: grants = rights.x;
      ACCESS_LOAD: grants = rights.r;
      default: grants = rights.w;
    endcase
  endfunction

  // Whether a page lies in a region of the memory map, by those bits of its number that its size leaves.
  /* verilator lint_off UNUSEDSIGNAL */  // an offset in a page plays no part
  function automatic logic meets(input region_t region, input ppn_t ppn, input logic [1:0] level);
  /* verilator lint_on UNUSEDSIGNAL */
    meets = (({8'd0, ppn} ^ region.base[63:12]) & region.mask[63:12] &
             {34'h3_ffff_ffff, {9{level < 2'd2}}, {9{level == 2'd0}}}) == '0;
  endfunction

  // Physical page of a virtual one by a leaf that covers it.
  /* verilator lint_off UNUSEDSIGNAL */  // takes its part of each
  function automatic ppn_t leaf_ppn(input leaf_t leaf, input vpn_t vpn);
  /* verilator lint_on UNUSEDSIGNAL */
    leaf_ppn = leaf.ppn;
    if (leaf.level >= 2'd1) leaf_ppn[8:0] = vpn[8:0];
    if (leaf.level >= 2'd2) leaf_ppn[17:9] = vpn[17:9];
  endfunction

  // A page fault by the leaf's permissions (privileged manual, "Virtual Address Translation Process", steps 5 to 9).
  // An access whose A or D bit is 0 faults here; with ad_update hardware then sets the bit.
  function automatic logic leaf_faults(input perms_t perms, input access_e access, input priv_e priv, input logic sum,
                                       input logic mxr);
    logic allowed;
    case (access)
      ACCESS_FETCH: allowed = perms.x;
      ACCESS_LOAD: allowed = perms.r || (mxr && perms.x);
      default: allowed = perms.w;
    endcase
    if (priv == PRIV_U) allowed = allowed && perms.u;
    else if (perms.u) allowed = allowed && sum && access != ACCESS_FETCH;
    leaf_faults = !allowed || !perms.a || (access == ACCESS_STORE && !perms.d);
  endfunction
endpackage
