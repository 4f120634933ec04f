// The retire record of the core (rvfi_pkg), from what leaves the ROB and what the units keep for it.
//
// Combinational but for the count of instructions; in the cycle in which they leave. For observers alone: nothing of
// the core depends on it, so where nobody looks synthesis leaves nothing of it. Invariant: no instruction retires in
// the cycle of a trap.
module retire_port
  import config_pkg::*;
  import ring_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import decode_pkg::*;
  import rename_pkg::*;
  import commit_pkg::*;
  import rvfi_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  commit_bundle_t bundle_i,
  input  retire_t retire_i [CoreWidth],
  input  commit_t com_i,
  input  raise_t raise_i,
  input  head_order_t order_i,         // where fetch goes on after a trap or a flush
  input  word_t rd_data_i [CoreWidth], // of retire_i's destinations
  input  lsu_left_t left_i,
  input  rvfi_csr_t csr_i,
  output rvfi_t rvfi_o
);
  word_t order_q;
  always_ff @(posedge clk_i) order_q <= rst_ni ? order_q + 64'(com_i.count) : '0;

  function automatic logic [7:0] low_bytes(input logic [1:0] size);
    low_bytes = 8'((9'd1 << (4'd1 << size)) - 9'd1);
  endfunction

  typedef logic [LaneBits-1:0] lane_t;
  function automatic lane_t next_lane(input lane_t lane);
    next_lane = lane_t'(ring_sum(32'(lane), 1, CoreWidth));
  endfunction

  always_comb begin
    automatic lane_t lane = bundle_i.oldest;
    automatic lane_t after = lane;
    automatic logic [LaneBits:0] loads = '0;
    automatic logic [LaneBits:0] stores = '0;
    automatic access_t access = '0;
    rvfi_o = '0;
    for (int k = 0; k < CoreWidth; k++) begin
      after = next_lane(lane);
      if (com_i.count > count_t'(k)) begin
        rvfi_o.insn[k].valid = 1'b1;
        rvfi_o.insn[k].order = order_q + 64'(k);
        rvfi_o.insn[k].insn = bundle_i.insn[lane];
        rvfi_o.insn[k].mode = bundle_i.priv;
        rvfi_o.insn[k].pc_rdata = bundle_i.pc[lane];
        rvfi_o.insn[k].pc_known = order_i.valid || (k + 1 < CoreWidth && bundle_i.valid[after] &&
                                                    !bundle_i.mispredict[lane]);
        rvfi_o.insn[k].pc_wdata = order_i.valid ? order_i.pc : bundle_i.pc[after];
        rvfi_o.insn[k].rd_valid = retire_i[k].pd_valid;
        rvfi_o.insn[k].rd_fp = is_f(retire_i[k].rd);
        rvfi_o.insn[k].rd_addr = retire_i[k].rd[4:0];
        rvfi_o.insn[k].rd_wdata = rd_data_i[k];
        access = '0;
        if (retire_i[k].is_load) begin
          access = left_i.loads[loads[LaneBits-1:0]];
          loads = loads + 1'b1;
        end else if (retire_i[k].is_store) begin
          access = left_i.stores[stores[LaneBits-1:0]];
          stores = stores + 1'b1;
        end else if (bundle_i.insn[lane][6:0] == 7'h2f) access = left_i.amo;
        if (access.reads) rvfi_o.insn[k].mem_rmask = low_bytes(access.size);
        if (access.writes) rvfi_o.insn[k].mem_wmask = low_bytes(access.size);
        rvfi_o.insn[k].mem_addr = access.addr;
        rvfi_o.insn[k].mem_wdata = access.data;
      end
      lane = after;
    end
    if (raise_i.valid && !raise_i.replay)
      rvfi_o.trap = '{valid: 1'b1, intr: raise_i.irq, cause: raise_i.cause, tval: raise_i.tval, pc_rdata: raise_i.epc,
                      pc_wdata: order_i.pc};
    if (csr_i.valid) rvfi_o.csr = csr_i;
  end

  `include "assert.svh"
  `ASSERT(TrapAlone, !(rvfi_o.trap.valid && rvfi_o.insn[0].valid))
endmodule
