// Next-packet predictor: which transfer of a block is taken, and where it goes.
//
// Read in F0, answers in F1, so that F0 can go on at the target in the very next cycle. Two ways; both may hold
// transfers of the same block. A conditional entry counts only if the direction predictor agrees. Written as packets
// retire. A wrong answer costs a bubble (F2 sees it) or, for an indirect target, a misprediction.
//
// Targets are kept as their low 40 bits; the rest is the block's own.
module btb
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // F0
  input  logic        read_i,
  input  block_addr_t read_block_i,
  // F1: the block read last, from slot start_i on
  input  slot_t       start_i,
  input  slots_t      predict_taken_i,
  input  word_t       ras_top_i,
  output logic        taken_o,
  output slot_t       slot_o,
  output word_t       target_o,
  output logic [1:0]  hit_o,
  output slot_t       hit_slot_o [2],
  // retirement of a packet
  input  logic         train_i,
  input  block_addr_t  train_block_i,
  input  packet_info_t train_info_i,
  input  logic [39:1]  train_target_i
);
  localparam int unsigned Sets = BtbEntries / 2;
  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned TagBits = 14;
  typedef struct packed {
    logic valid;
    logic [TagBits-1:0] tag;
    slot_t slot;
    cfi_e kind;
    logic [39:1] target;
  } entry_t;

  function automatic logic [TagBits-1:0] tag_of(input logic [SetBits+2*TagBits-1:SetBits] block);
    tag_of = block[SetBits +: TagBits] ^ block[SetBits+TagBits +: TagBits];
  endfunction

  // Everything is invalid after reset: a walk through the sets, answers held back until it is done.
  logic clearing_q;
  logic [SetBits-1:0] clear_set_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_set_q <= '0;
    end else if (clearing_q) begin
      clear_set_q <= clear_set_q + 1'b1;
      clearing_q <= clear_set_q != SetBits'(Sets - 1);
    end
  end

  // ---- read ----
  /* verilator lint_off UNUSEDSIGNAL */  // set and target bits come from the arrays
  block_addr_t block_q;
  /* verilator lint_on UNUSEDSIGNAL */
  entry_t entry [2];
  always_ff @(posedge clk_i) if (read_i) block_q <= read_block_i;

  logic [1:0] usable;
  for (genvar w = 0; w < 2; w++) begin : gen_answer
    assign hit_o[w] = entry[w].valid && !clearing_q && entry[w].tag == tag_of(block_q[SetBits+2*TagBits-1:SetBits]);
    assign hit_slot_o[w] = entry[w].slot;
    assign usable[w] = hit_o[w] && entry[w].slot >= start_i &&
                       (entry[w].kind != CFI_COND || predict_taken_i[entry[w].slot]);
  end

  // The earlier of two taken transfers ends the packet.
  logic way;
  assign way = usable[1] && (!usable[0] || entry[1].slot < entry[0].slot);
  assign taken_o = |usable;
  assign slot_o = entry[way].slot;
  assign target_o = cfi_pops(entry[way].kind) ? ras_top_i : {block_q[63-OffsetBits -: 24], entry[way].target, 1'b0};

  // ---- write: the transfer's own entry if it had one, else either way, in turn ----
  logic victim_q, train, train_way, known0, known1;
  assign known0 = train_info_i.btb_hit[0] && train_info_i.btb_slot0 == train_info_i.last;
  assign known1 = train_info_i.btb_hit[1] && train_info_i.btb_slot1 == train_info_i.last;
  assign train = train_i && train_info_i.taken && !clearing_q;
  assign train_way = known0 ? 1'b0 : known1 ? 1'b1 : victim_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) victim_q <= 1'b0;
    else if (train && !known0 && !known1) victim_q <= !victim_q;
  end

  entry_t write_entry;
  logic [SetBits-1:0] write_set;
  assign write_entry = clearing_q ? '0 : '{valid: 1'b1, tag: tag_of(train_block_i[SetBits+2*TagBits-1:SetBits]),
                                           slot: train_info_i.last, kind: train_info_i.kind, target: train_target_i};
  assign write_set = clearing_q ? clear_set_q : train_block_i[SetBits-1:0];

  for (genvar w = 0; w < 2; w++) begin : gen_way
    sync_ram #(.Words(Sets), .Width($bits(entry_t))) u_entries (
      .clk_i, .rst_ni, .read_i, .read_addr_i(read_block_i[SetBits-1:0]), .data_o(entry[w]),
      .write_i(clearing_q || (train && train_way == 1'(w))), .write_addr_i(write_set), .write_data_i(write_entry)
    );
  end
endmodule
