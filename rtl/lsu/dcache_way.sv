// One way of the L1 data cache: tags, valid and dirty bits, data.
//
// All addresses come from registers (M1 or refill stage), so every read is the second half of a synchronous, write-
// through RAM read. One write in a cycle: a refilled line or a word.
module dcache_way
  import config_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // lookups
  input  logic [MemPorts-1:0] look_valid_i,
  input  line_t look_line_i [MemPorts],
  input  logic [2:0] look_word_i [MemPorts],
  output logic [MemPorts-1:0] hit_o,
  output word_t word_o [MemPorts],           // 0 without a hit
  // the line that leaves (refill or clean)
  input  dc_set_t old_set_i,
  output logic old_valid_o,
  output logic old_dirty_o,
  output dc_tag_t old_tag_o,
  output logic [LineBits-1:0] old_data_o,
  // writes
  input  logic refill_i,                     // into old_set_i
  input  dc_tag_t refill_tag_i,
  input  logic [LineBits-1:0] refill_data_i,
  input  logic clean_i,                      // old_set_i is clean from now on
  input  logic write_i,
  input  dc_set_t write_set_i,
  input  logic [2:0] write_word_i,
  input  word_t write_data_i
);
  logic [DcSets-1:0] valid_q, dirty_q;
  dc_tag_t tag_q [DcSets];
  word_t word_q [DcSets * 8];

  always_comb begin
    automatic dc_set_t set;
    for (int p = 0; p < MemPorts; p++) begin
      set = look_line_i[p][DcSetBits-1:0];
      hit_o[p] = 1'b0;
      word_o[p] = '0;
      if (look_valid_i[p] && valid_q[set] && tag_q[set] == look_line_i[p][PaBits-7:DcSetBits]) begin
        hit_o[p] = 1'b1;
        word_o[p] = word_q[{set, look_word_i[p]}];
      end
    end
  end

  assign old_valid_o = valid_q[old_set_i];
  assign old_dirty_o = dirty_q[old_set_i];
  assign old_tag_o = tag_q[old_set_i];
  for (genvar i = 0; i < 8; i++) begin : gen_old
    assign old_data_o[64*i+:64] = word_q[{old_set_i, 3'(i)}];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      dirty_q <= '0;
    end else begin
      if (refill_i) begin
        valid_q[old_set_i] <= 1'b1;
        dirty_q[old_set_i] <= 1'b0;
      end
      if (clean_i) dirty_q[old_set_i] <= 1'b0;
      if (write_i) dirty_q[write_set_i] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (refill_i) begin
      tag_q[old_set_i] <= refill_tag_i;
      for (int i = 0; i < 8; i++) word_q[{old_set_i, 3'(i)}] <= refill_data_i[64*i+:64];
    end else if (write_i) word_q[{write_set_i, write_word_i}] <= write_data_i;
  end

  `include "assert.svh"
  `ASSERT(OneWrite, !(write_i && (refill_i || clean_i)))
endmodule
