// Accessed and dirty bits, set by hardware (configuration key mmu.ad_update; privileged manual, Svadu). Without the key
// this module is empty.
//
// Nothing is set ahead of time: TLBs, walks and queues treat A = 0, or D = 0 of a store, as a page fault. A page fault
// that has become the oldest instruction's is held here until the page table has been walked again:
//
//   IDLE --no committed store is left--> ASK -> WALK --a leaf--> FINAL --may be done--> TABLE --may be written--> SWAP
//    ^                                    |       |                |                      |                         |
//    +------------------------------------+-------+----------------+---- END: the verdict <------------------------+
//
// FINAL: what the leaf says, protection and memory map for the address of the access; TABLE: those of the entry, which
// S-mode must be able to write. The verdict: the page fault; an access fault; or that the instruction begins again,
// all TLBs emptied, when the bits are set (or were). They are set by a compare-and-swap of the whole entry (amo_ctrl):
// where it is no longer what the walk has read, nothing is written, and the instruction begins again, too. From ASK on
// no interrupt is taken, and after such a beginning none before the instruction has left: a bit is set only if its
// instruction goes on.
module ad_update
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import commit_pkg::*;
#(
  parameter bit Enabled = AdUpdate != 0
) (
  /* verilator lint_off UNUSEDSIGNAL */  // without the key; the root is the walker's
  input  logic          clk_i,
  input  logic          rst_ni,
  input  vm_t           vm_i,
  input  pmp_region_t   pmp_i [PmpRegions],
  input  region_t       region_i [Regions],
  // the oldest instruction
  input  logic          fault_i,           // has a page fault
  input  cause_t        cause_i,
  input  word_t         tval_i,
  input  logic          amo_i,             // is an AMO, LR or SC
  input  logic          interrupt_i,       // is interrupted
  input  logic          left_i,            // leaves the ROB, or traps
  output fault_check_t  check_o,
  // walk
  output walk_req_t     walk_req_o,
  input  logic          walk_ready_i,
  input  table_leaf_t   walk_resp_i,
  // the entry's compare-and-swap, in the data cache: held until done
  input  logic          stores_gone_i,     // no committed store is left
  output table_swap_t   swap_o,
  input  table_swapped_t swapped_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic          tlb_flush_o
);
  if (Enabled) begin : gen_unit
    typedef enum logic [2:0] { IDLE, ASK, WALK, FINAL, TABLE, SWAP, END } state_e;
    state_e state_q;
    logic again_q, denied_q, guard_q, flush_q;  // again, denied: the verdict; guard: no interrupt before it has left
    leaf_t leaf_q;
    word_t addr_q;                              // of its entry
    word_t entry_q;

    // ---- what is asked for ----
    access_e access;
    priv_e priv;
    vpn_t vpn;
    always_comb begin
      case (cause_i)
        CauseInsnPage: access = ACCESS_FETCH;
        CauseLoadPage: access = ACCESS_LOAD;
        default: access = ACCESS_STORE;
      endcase
    end
    assign priv = access == ACCESS_FETCH ? vm_i.fetch_priv : vm_i.data_priv;
    assign vpn = tval_i[38:12];

    // ---- the checks: of the access in FINAL, of the entry in TABLE ----
    word_t pa;
    ppn_t page;
    perms_t set;
    rights_t rights;
    logic permitted, mapped, forbidden, complete;
    assign pa = {8'd0, leaf_ppn(leaf_q, vpn), tval_i[11:0]};
    assign page = state_q == TABLE ? addr_q[55:12] : pa[55:12];

    pmp_check u_pmp_check (
      .pmp_i, .look_i(state_q == FINAL || state_q == TABLE), .ppn_i(page), .priv_i(state_q == TABLE ? PRIV_S : priv),
      .rights_o(rights)
    );
    assign permitted = grants(rights, state_q == TABLE ? ACCESS_STORE : access);

    /* verilator lint_off UNUSEDSIGNAL */  // memory is what is no device
    attributes_t attributes;
    /* verilator lint_on UNUSEDSIGNAL */
    region_check u_region_check (.region_i, .address_i(state_q == TABLE ? addr_q : pa), .attributes_o(attributes));

    always_comb begin
      set = leaf_q.perms;
      set.a = 1'b1;
      if (access == ACCESS_STORE) set.d = 1'b1;
      complete = set == leaf_q.perms;
      forbidden = access == ACCESS_FETCH ? leaf_faults(set, access, priv, 1'b0, 1'b0)
                                         : leaf_faults(set, access, priv, vm_i.sum, vm_i.mxr);
      case (access)
        ACCESS_FETCH: mapped = attributes.x;
        ACCESS_LOAD: mapped = attributes.r && !(amo_i && attributes.device);
        default: mapped = attributes.w && !(amo_i && attributes.device);
      endcase
      if (state_q == TABLE) mapped = attributes.w;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        state_q <= IDLE;
        guard_q <= 1'b0;
        flush_q <= 1'b0;
      end else begin
        case (state_q)
          IDLE: if (fault_i && stores_gone_i && !interrupt_i) state_q <= canonical(tval_i) ? ASK : END;
          ASK: if (walk_ready_i) state_q <= WALK;
          WALK: if (walk_resp_i.valid) state_q <= walk_resp_i.page_fault || walk_resp_i.access_fault ? END : FINAL;
          FINAL: state_q <= forbidden || !permitted || !mapped || complete ? END : TABLE;
          TABLE: state_q <= permitted && mapped ? SWAP : END;
          SWAP: if (swapped_i.done) state_q <= END;
          default: state_q <= IDLE;
        endcase
        if (state_q == END && again_q) guard_q <= 1'b1;
        else if (left_i) guard_q <= 1'b0;
        flush_q <= state_q == END && again_q;
      end
      case (state_q)
        IDLE: begin
          again_q <= 1'b0;
          denied_q <= 1'b0;
        end
        WALK: begin
          leaf_q <= walk_resp_i.leaf;
          addr_q <= walk_resp_i.addr;
          entry_q <= walk_resp_i.entry;
          denied_q <= walk_resp_i.access_fault;
        end
        FINAL: begin
          denied_q <= !forbidden && (!permitted || !mapped);
          again_q <= !forbidden && permitted && mapped && complete;
        end
        TABLE: denied_q <= !permitted || !mapped;
        SWAP: begin
          again_q <= !swapped_i.error;
          denied_q <= swapped_i.error;
        end
        default: ;
      endcase
    end

    assign check_o = '{hold: state_q != END, again: again_q, denied: denied_q, locked: state_q != IDLE || guard_q};
    assign walk_req_o = '{valid: state_q == ASK, vpn: vpn};
    assign swap_o = '{valid: state_q == SWAP, addr: addr_q, old: entry_q,
                      new_: entry_q | {56'd0, access == ACCESS_STORE, 7'b1000000}};
    assign tlb_flush_o = flush_q;

    `include "assert.svh"
    `ASSERT(FaultStays, state_q == IDLE || fault_i)
    `ASSERT(NoInterrupt, !(interrupt_i && (state_q != IDLE || guard_q)))
  end else begin : gen_none
    assign check_o = '0;
    assign walk_req_o = '0;
    assign swap_o = '0;
    assign tlb_flush_o = 1'b0;
  end
endmodule
