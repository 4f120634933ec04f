// EX of the load/store unit: addresses, data TLB, checks; and those that missed the TLB, on their second way.
//
//   uop_i --+-> lsu_agu -> tlb -> lsu_check -> load_o, store_o or amo_o, with the physical address
//           |               | miss
//           +<-- port 0 -- lsu_tlb_wait <-> walker
//
// A store's data that come after its address (PART_DATA) pass by the addresses, and need no translation.
//
// Combinational from uop_i. What misses the TLB is miss_o and none of load_o, store_o, amo_o: it has not executed. An
// instruction that has waited enters on port 0 when there is no fresh one; hold_o sees to it that such a cycle comes.
// It brings its translation along, so no instruction misses twice.
module lsu_ex
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  input  vm_t vm_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t region_i [Regions],
  input  tlb_flush_t tlb_flush_i,
  // from the issue queue
  input  mem_uop_t uop_i [MemPorts],
  output logic [MemPorts-1:0] hold_o,
  // walks
  output walk_req_t walk_req_o,
  input  logic walk_ready_i,
  input  walk_resp_t walk_resp_i,
  // who executes, and who misses the TLB
  output mem_uop_t uop_o [MemPorts],
  output logic [MemPorts-1:0] miss_o,
  output logic [MemPorts-1:0] load_o,
  output logic [MemPorts-1:0] store_o,
  output logic [MemPorts-1:0] data_o,      // a store's data are available, its place in info_o
  output logic [MemPorts-1:0] amo_o,       // AMO, LR or SC
  output word_t va_o [MemPorts],           // virtual address
  output word_t addr_o [MemPorts],         // physical; virtual_address gives back the virtual one
  output load_info_t info_o [MemPorts],
  output logic [MemPorts-1:0] device_o,
  output logic [MemPorts-1:0] exception_o,
  output cause_t cause_o [MemPorts]
);
  logic on, again_valid, again_take, fill;
  logic [MemPorts-1:0] alive, acts, reads, misaligned, look, held, hit, miss;
  mem_uop_t again_uop;
  walk_resp_t again_walked, walked [MemPorts];
  vpn_t vpn [MemPorts];
  leaf_t held_leaf [MemPorts], tlb_leaf [MemPorts];

  assign on = translates(vm_i, vm_i.data_priv);
  assign again_take = again_valid && !uop_i[0].valid;

  for (genvar p = 0; p < MemPorts; p++) begin : gen_port
    leaf_t leaf;

    if (p == 0) begin : gen_again
      always_comb begin
        uop_o[p] = uop_i[p];
        walked[p] = '0;
        if (!uop_i[p].valid) begin  // whether there is one says its own bit: nothing else is asked first
          uop_o[p] = again_uop;
          uop_o[p].valid = again_valid;
          walked[p] = again_walked;
        end
      end
    end else begin : gen_fresh
      assign uop_o[p] = uop_i[p];
      assign walked[p] = '0;
    end

    lsu_agu u_agu (
      .squash_i,
      .uop_i(uop_o[p]),
      .translates_i(on),
      .alive_o(alive[p]),
      .reads_o(reads[p]),
      .misaligned_o(misaligned[p]),
      .addr_o(va_o[p]),
      .info_o(info_o[p])
    );

    assign vpn[p] = va_o[p][38:12];
    assign acts[p] = alive[p] && uop_o[p].part != PART_DATA;
    assign look[p] = on && acts[p] && !misaligned[p] && canonical(va_o[p]) && !walked[p].valid;
    assign miss[p] = look[p] && !hit[p];
    assign miss_o[p] = miss[p];
    assign load_o[p] = acts[p] && !miss[p] && uop_o[p].unit == UNIT_LOAD;
    assign store_o[p] = acts[p] && !miss[p] && uop_o[p].unit == UNIT_STORE;
    assign amo_o[p] = acts[p] && !miss[p] && uop_o[p].unit == UNIT_AMO;
    assign data_o[p] = (store_o[p] && uop_o[p].part == PART_ALL) || (alive[p] && uop_o[p].part == PART_DATA);
    assign leaf = walked[p].valid ? walked[p].leaf : tlb_leaf[p];

    lsu_check u_check (
      .vm_i,
      .pmp_i,
      .region_i,
      .translates_i(on),
      .amo_i(uop_o[p].unit == UNIT_AMO),
      .reads_i(reads[p]),
      .misaligned_i(misaligned[p]),
      .addr_i(va_o[p]),
      .leaf_i(leaf),
      .walk_page_i(walked[p].page_fault),
      .walk_access_i(walked[p].access_fault),
      .addr_o(addr_o[p]),
      .device_o(device_o[p]),
      .exception_o(exception_o[p]),
      .cause_o(cause_o[p])
    );
  end

  tlb #(.Entries(DtlbEntries), .Ports(MemPorts)) u_tlb (
    .clk_i,
    .rst_ni,
    .flush_i(tlb_flush_i),
    .asid_i(vm_i.asid),
    .look_valid_i(look),
    .look_vpn_i(vpn),
    .hit_o(held),
    .leaf_o(held_leaf),
    .fill_valid_i(fill),
    .fill_vpn_i(walk_resp_i.vpn),
    .fill_leaf_i(walk_resp_i.leaf)
  );

  if (IdealSockets != 0) begin : gen_ideal
    ideal_tlb #(.Ports(MemPorts)) u_ideal (
      .vm_i, .pmp_i, .region_i, .look_valid_i(look), .look_vpn_i(vpn), .hit_i(held), .leaf_i(held_leaf), .hit_o(hit),
      .leaf_o(tlb_leaf)
    );
  end else begin : gen_held
    assign hit = held;
    assign tlb_leaf = held_leaf;
  end

  lsu_tlb_wait u_tlb_wait (
    .clk_i,
    .rst_ni,
    .squash_i,
    .flush_i(tlb_flush_i.walks),
    .miss_i(miss),
    .miss_uop_i(uop_o),
    .miss_vpn_i(vpn),
    .walk_req_o,
    .walk_ready_i,
    .walk_resp_i,
    .fill_o(fill),
    .again_valid_o(again_valid),
    .again_uop_o(again_uop),
    .again_walked_o(again_walked),
    .again_take_i(again_take),
    .hold_o
  );

  // The proof of ST_TLB (tests/formal/psv_tlb_proof.sv) takes for granted that what comes is a memory instruction.
  `include "assert.svh"
  logic [MemPorts-1:0] stray;
  always_comb
    for (int p = 0; p < MemPorts; p++)
      stray[p] = uop_i[p].valid && uop_i[p].unit != UNIT_LOAD && uop_i[p].unit != UNIT_STORE &&
                 uop_i[p].unit != UNIT_AMO;
  `ASSERT(MemoryOnly, stray == '0)
endmodule
