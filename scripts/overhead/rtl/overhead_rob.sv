// The reorder buffer as a core without profiling units needs it (Units = 0: nobody looks at instruction words), with TIP, and with
// TEA (profile.vectors = 1). The PMU's count of branches reads 16 bits of each word.
module overhead_rob
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rob_pkg::*;
#(
  parameter int unsigned Units = 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  output rob_room_t room_o,
  input  logic [CoreWidth-1:0] fire_i,
  input  count_t fire_count_i,
  input  word_t pc_i [CoreWidth],
  input  logic [31:0] insn_i [CoreWidth],
  input  rob_entry_t entry_i [CoreWidth],
  input  logic [Dones-1:0] done_i,
  input  rob_idx_t done_rob_i [Dones],
  input  logic [BranchPorts-1:0] mispredict_i,
  input  mem_event_t event_i [MemEvents],
  input  logic keep_i,  // profile.vector_window
  output rob_idx_t head_o,
  output logic [LaneBits-1:0] oldest_o,
  output window_t window_o [CoreWidth],
  input  count_t commit_count_i,
  input  logic clear_i
);
  window_t window [CoreWidth];
  rob_entry_t entry [CoreWidth];
  mem_event_t events [MemEvents];
  always_comb begin
    for (int i = 0; i < CoreWidth; i++) begin
      entry[i] = '{info: entry_i[i].info, psv: Vectors != 0 ? entry_i[i].psv & PsvEntering : '0};
      window_o[i] = window[i];
      if (Units == 0) window_o[i].insn = '0;
      else window_o[i].insn[31:16] = '0;
      window_o[i].psv = Vectors != 0 ? window[i].psv & (PsvEntering | PsvInside) : '0;
    end
    for (int e = 0; e < MemEvents; e++) begin
      events[e] = Vectors != 0 ? event_i[e] : '0;
      events[e].psv &= PsvInside;
    end
  end
  rob u_rob (
    .clk_i, .rst_ni, .squash_i, .room_o, .fire_i, .fire_count_i, .pc_i, .insn_i, .entry_i(entry), .done_i, .done_rob_i,
    .mispredict_i, .event_i(events), .keep_i, .head_o, .oldest_o, .window_o(window), .commit_count_i, .clear_i
  );
endmodule
