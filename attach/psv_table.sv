// Performance signature vectors beside a foreign core's reorder buffer: TEA without a change to the core.
//
// An entry is cleared, or given the events of its fetch and dispatch, when an instruction enters it; bits are set by
// its index while it is in flight, from wherever the core names it so; its vector is read at the head. Read in the
// cycle in which a bit is set: with that bit. Who sets says for whom: an event of an instruction that has left by then
// must be held back, or the next one in its entry has it. Instructions that enter, bits and reads may come in any
// number, in any order; entering wins over setting the same entry.
module psv_table #(
  parameter int unsigned Entries = 8,
  parameter int unsigned Lanes = 2,    // that enter, and that are read
  parameter int unsigned Sets = 1,     // sources of events
  parameter int unsigned Bits = 9,
  localparam int unsigned IndexBits = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic                            clk_i,
  input  logic [Lanes-1:0]                enter_i,
  input  logic [Lanes-1:0][IndexBits-1:0] enter_index_i,
  input  logic [Lanes-1:0][Bits-1:0]      enter_psv_i,
  input  logic [Sets-1:0]                 set_i,
  input  logic [Sets-1:0][IndexBits-1:0]  set_index_i,
  input  logic [Sets-1:0][Bits-1:0]       set_psv_i,
  input  logic [Lanes-1:0][IndexBits-1:0] read_index_i,
  output logic [Lanes-1:0][Bits-1:0]      psv_o
);
  logic [Bits-1:0] psv_q [Entries];

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    always_ff @(posedge clk_i) begin
      automatic logic [Bits-1:0] psv;
      psv = psv_q[e];
      for (int s = 0; s < Sets; s++) if (set_i[s] && 32'(set_index_i[s]) == e) psv |= set_psv_i[s];
      for (int l = 0; l < Lanes; l++) if (enter_i[l] && 32'(enter_index_i[l]) == e) psv = enter_psv_i[l];
      psv_q[e] <= psv;
    end
  end

  always_comb begin
    for (int l = 0; l < Lanes; l++) begin
      psv_o[l] = psv_q[read_index_i[l]];
      for (int s = 0; s < Sets; s++) if (set_i[s] && set_index_i[s] == read_index_i[l]) psv_o[l] |= set_psv_i[s];
    end
  end
endmodule
