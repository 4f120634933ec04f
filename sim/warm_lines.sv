// Fills the L1 caches while the core is in reset, for a run that begins in the midst of a program: a line in a cycle,
// as C gives them (harness/warm.h); in the first cycle after reset they become valid.
//
// Writes the arrays by name, as sim/htif.sv does; the design has no port for it. Until then no request can be open: it
// is asserted. A hub that keeps several harts' caches coherent has no state of lines: they are filled as they are
// coherent with each other.
`include "assert.svh"
`define WARM_DC u_tile.u_core.u_lsu.u_dcache
`define WARM_IC u_tile.u_core.u_frontend.u_icache
`define WARM_WAY `WARM_DC.gen_way[w].u_way
module warm_lines
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
  import dpi_pkg::*;
(
  input logic clk_i,
  input logic rst_ni
);
  typedef logic [$clog2(IcSets)-1:0] ic_set_t;
  int unsigned left_q;
  logic fills_q, writes_q;
  /* verilator lint_off UNUSEDSIGNAL */  // not all bits of an address
  word_t addr_q;
  warm_t warm_q;
  /* verilator lint_on UNUSEDSIGNAL */
  word_t data_q [8];
  logic [LineBits-1:0] data;
  dc_set_t set;
  ic_set_t ic_set;
  initial begin
    left_q = tipoff_warm_lines();
    fills_q = left_q != 0;
    writes_q = 1'b0;
  end
  assign set = addr_q[6+:DcSetBits];
  assign ic_set = addr_q[6+:$clog2(IcSets)];
  for (genvar b = 0; b < 8; b++) begin : gen_word
    assign data[64*b+:64] = data_q[b];
  end

  always_ff @(posedge clk_i) begin
    automatic word_t addr, d0, d1, d2, d3, d4, d5, d6, d7;
    writes_q <= 1'b0;
    if (rst_ni) fills_q <= 1'b0;
    else if (left_q != 0) begin
      warm_q <= tipoff_warm_line(addr, d0, d1, d2, d3, d4, d5, d6, d7);
      addr_q <= addr;
      data_q[0] <= d0;
      data_q[1] <= d1;
      data_q[2] <= d2;
      data_q[3] <= d3;
      data_q[4] <= d4;
      data_q[5] <= d5;
      data_q[6] <= d6;
      data_q[7] <= d7;
      left_q <= left_q - 1;
      writes_q <= 1'b1;
    end
  end

  for (genvar w = 0; w < DcWays; w++) begin : gen_way
    logic [DcSets-1:0] valid_q, dirty_q;
    logic write;
    initial valid_q = '0;
    initial dirty_q = '0;
    if (Coherent) begin : gen_owned
      always_ff @(posedge clk_i) if (write) `WARM_WAY.gen_owned.owned_q[set] <= warm_q.owned;
    end
    assign write = writes_q && !warm_q.insn && warm_q.way == 8'(w);
    always_ff @(posedge clk_i)
      if (write) begin
        valid_q[set] <= 1'b1;
        dirty_q[set] <= warm_q.dirty;
        `WARM_WAY.u_tags.mem_q[set] <= addr_q[PaBits-1:6+DcSetBits];
        `WARM_DC.u_dcache_victim.used_q[set] <= warm_q.used[DcWays-1:0];
      end else if (fills_q && rst_ni) begin
        `WARM_WAY.valid_q <= valid_q;
        `WARM_WAY.dirty_q <= dirty_q;
      end
    for (genvar b = 0; b < 8; b++) begin : gen_bank
      always_ff @(posedge clk_i) if (write) `WARM_WAY.gen_bank[b].u_words.mem_q[set] <= data_q[b];
    end
  end

  for (genvar w = 0; w < IcWays; w++) begin : gen_insn_way
    logic [IcSets-1:0] valid_q;
    logic write;
    initial valid_q = '0;
    assign write = writes_q && warm_q.insn && warm_q.way == 8'(w);
    always_ff @(posedge clk_i)
      if (write) begin
        valid_q[ic_set] <= 1'b1;
        `WARM_IC.gen_way[w].u_tags.mem_q[ic_set] <= addr_q[PaBits-1:6+$clog2(IcSets)];
      end else if (fills_q && rst_ni) begin
        `WARM_IC.valid_q[w] <= valid_q;
      end
    for (genvar b = 0; b < LineBits / (16 * FetchWidth); b++) begin : gen_bank
      always_ff @(posedge clk_i)
        if (write) `WARM_IC.gen_way[w].gen_bank[b].u_data.mem_q[ic_set] <= data[16*FetchWidth*b+:16*FetchWidth];
    end
  end

  logic all;
  assign all = left_q == 0;
  `ASSERT(AllInReset, !fills_q || all)
  `ASSERT(NothingOpen, !fills_q || (`WARM_DC.u_mshr_file.valid_q == '0 && `WARM_IC.u_miss.valid_q == '0))
endmodule
`undef WARM_WAY
`undef WARM_IC
`undef WARM_DC
