// The one place of the ideal parts: which are on, instructions counted, and what the data cache writes, emitted to C in
// the same cycle, so that C's memory is what loads would see.
//
// The others ask it by name. `now_o` changes with all that may change an answer of C.
`define CORE u_tile.u_core
`define DATA `CORE.u_lsu
module ideal
  import config_pkg::*;
  import core_pkg::*;
  import ideal_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  lanes_t         commit_i,     // who leaves in this cycle
  output parts_t         parts_o,
  output int unsigned    now_o,
  output word_t          left_o,       // instructions that have left before this cycle
  output word_t          redirect_o    // number of the instruction that a redirect in this cycle asks for
);
  initial parts_o = parts_t'(5'(tipoff_ideal_parts()));

  function automatic int unsigned places(input rob_idx_t from, input rob_idx_t to);
    places = ring_pkg::ring_used(from.wrap == to.wrap, 32'(from.idx), 32'(to.idx), RobEntries);
  endfunction
  // Number of the instruction in this place of the ROB.
  function automatic word_t number_of(input rob_idx_t rob);
    number_of = left_o + word_t'(places(`CORE.u_commit_stage.head, rob));
  endfunction
  assign redirect_o = `CORE.squash.all ? left_o : number_of(`CORE.squash.rob) + 64'd1;

  word_t left_after;
  always_comb begin
    left_after = left_o;
    for (int i = 0; i < CoreWidth; i++) if (commit_i[i]) left_after = left_after + 64'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_o <= '0;
      left_o <= '0;
    end else begin
      now_o <= now_o + 1;
      left_o <= left_after;
      if (parts_o != '0)
        for (int p = 0; p < MemPorts; p++)
          if (`DATA.look_write[p] && `DATA.hit[p])
            tipoff_ideal_write(`DATA.m1_addr[p], `DATA.write_word, 32'(`DATA.write_mask));
    end
  end
endmodule
`undef CORE
`undef DATA
