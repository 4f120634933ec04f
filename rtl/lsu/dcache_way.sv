// One way of the L1 data cache: tags, data, and of each line whether it is valid, dirty, and, where several caches are
// coherent, owned: no other has a copy. Modified is owned and dirty, exclusive owned and clean, shared neither.
//
// All read addresses are registers (M1 or refill stage), so every read is the second half of a synchronous, write-
// through RAM read. Eight banks of a word each; one write in a cycle: a refilled line (all banks) or a word (its bank).
`include "assert.svh"

module dcache_way
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // lookups
  input  logic [MemPorts-1:0] look_valid_i,
  input  line_t look_line_i [MemPorts],
  input  logic [2:0] look_word_i [MemPorts],
  output logic [MemPorts-1:0] hit_o,
  output word_t word_o [MemPorts],           // 0 without a hit
  output logic [MemPorts-1:0] owned_o,       // it may be written
  // the line of a whole set's: one that leaves, is cleaned or snooped
  input  dc_set_t old_set_i,
  output old_line_t old_o,
  // writes
  input  logic refill_i,                     // into old_set_i
  input  dc_tag_t refill_tag_i,
  input  logic [LineBits-1:0] refill_data_i,
  /* verilator lint_off UNUSEDSIGNAL */  // without harts.coherent
  input  logic refill_owned_i,
  input  logic disown_i,                     // others may have copies of old_set_i from now on
  input  dc_set_t drop_set_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic refill_dirty_i,
  input  logic drop_i,                       // drop_set_i is invalid from now on
  input  logic clean_i,                      // old_set_i is clean from now on
  input  logic write_i,
  input  dc_set_t write_set_i,
  input  logic [2:0] write_word_i,
  input  word_t write_data_i
);
  /* verilator inline_module */  // sim/htif.sv writes words, too: as the same clock, for Verilator's lint
  logic [DcSets-1:0] valid_q, dirty_q;

  // Read ports of tags and words: those of the lookups, then the one of the line that leaves.
  localparam int unsigned Reads = MemPorts + 1;
  dc_set_t read_set [Reads];
  dc_tag_t tag [Reads];
  for (genvar p = 0; p < MemPorts; p++) begin : gen_look
    assign read_set[p] = look_line_i[p][DcSetBits-1:0];
  end
  assign read_set[MemPorts] = old_set_i;
  mp_ram #(.Words(DcSets), .Width($bits(dc_tag_t)), .Reads(Reads)) u_tags (
    .clk_i, .rst_ni, .read_i({1'b1, look_valid_i}), .read_addr_i(read_set), .data_o(tag),
    .write_i(refill_i), .write_addr_i('{old_set_i}), .write_data_i('{refill_tag_i})
  );

  logic [7:0][63:0] bank_word [MemPorts];
  always_comb begin
    automatic dc_set_t set;
    for (int p = 0; p < MemPorts; p++) begin
      set = look_line_i[p][DcSetBits-1:0];
      hit_o[p] = 1'b0;
      word_o[p] = '0;
      if (look_valid_i[p] && valid_q[set] && tag[p] == look_line_i[p][PaBits-7:DcSetBits]) begin
        hit_o[p] = 1'b1;
        word_o[p] = bank_word[p][look_word_i[p]];
      end
    end
  end

  for (genvar b = 0; b < 8; b++) begin : gen_bank
    logic [Reads-1:0] read;
    word_t word [Reads];
    for (genvar p = 0; p < MemPorts; p++) begin : gen_port
      assign read[p] = look_valid_i[p] && look_word_i[p] == 3'(b);
      assign bank_word[p][b] = word[p];
    end
    assign read[MemPorts] = 1'b1;
    assign old_o.data[64*b+:64] = word[MemPorts];

    dc_set_t set;
    word_t data;
    logic write;
    assign set = refill_i ? old_set_i : write_set_i;
    assign data = refill_i ? refill_data_i[64*b+:64] : write_data_i;
    assign write = refill_i || (write_i && write_word_i == 3'(b));
    mp_ram #(.Words(DcSets), .Width(64), .Reads(Reads)) u_words (
      .clk_i, .rst_ni, .read_i(read), .read_addr_i(read_set), .data_o(word), .write_i(write), .write_addr_i('{set}),
      .write_data_i('{data})
    );
  end

  assign old_o.valid = valid_q[old_set_i];
  assign old_o.dirty = dirty_q[old_set_i];
  assign old_o.tag = tag[MemPorts];
  if (Coherent) begin : gen_owned
    logic [DcSets-1:0] owned_q;
    assign old_o.owned = owned_q[old_set_i];
    always_comb for (int p = 0; p < MemPorts; p++) owned_o[p] = hit_o[p] && owned_q[look_line_i[p][DcSetBits-1:0]];
    always_ff @(posedge clk_i)
      if (refill_i) owned_q[old_set_i] <= refill_owned_i;
      else if (disown_i) owned_q[old_set_i] <= 1'b0;
    `ASSERT(WritesOwned, !write_i || owned_q[write_set_i])
    `ASSERT(DirtyIsOwned, (dirty_q & ~(valid_q & owned_q)) == '0)
  end else begin : gen_alone
    assign old_o.owned = 1'b1;
    assign owned_o = '1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      dirty_q <= '0;
    end else begin
      if (refill_i) begin
        valid_q[old_set_i] <= 1'b1;
        dirty_q[old_set_i] <= refill_dirty_i;
      end
      if (drop_i) begin
        valid_q[drop_set_i] <= 1'b0;
        dirty_q[drop_set_i] <= 1'b0;  // else fence.i would write it back
      end
      if (clean_i) dirty_q[old_set_i] <= 1'b0;
      if (write_i) dirty_q[write_set_i] <= 1'b1;
    end
  end

  // With two ports a hint may give up a shared copy in the cycle in which a store writes another set.
  `ASSERT(OneWrite, !(write_i && (refill_i || clean_i || disown_i || (drop_i && drop_set_i == write_set_i))))
  `ASSERT(OneChange, !(refill_i && (drop_i || disown_i || clean_i)))
endmodule
