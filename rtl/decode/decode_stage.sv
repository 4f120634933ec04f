// Decode stage: CoreWidth decoders and the registers that rename and dispatch read. Latency: one cycle.
//
// The registers hold up to CoreWidth instructions in program order, packed from slot 0. Each cycle the first
// `fire_count_i` leave, the rest move down, and new ones fill the slots after them:
//
//     slots   [A B C D]  fire 3 ->  [D E F G]
module decode_stage
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic fs_off_i,                // mstatus.FS is Off
  // looked at as instructions leave: a write of fcsr need not flush (core.fcsr_flush)
  input  logic [2:0] frm_i,
  input  logic squash_i,                       // everything here is younger than any squash
  // from the front end
  input  fetch_insn_t insn_i [CoreWidth],
  input  logic [CoreWidth-1:0] insn_valid_i,
  output logic [CoreWidth-1:0] insn_take_o,
  // to rename and dispatch
  output logic [CoreWidth-1:0] valid_o,
  output decoded_t uop_o [CoreWidth],
  output logic [31:0] imm_o [CoreWidth],
  output word_t pc_o [CoreWidth],
  output logic [31:0] insn_o [CoreWidth],
  input  count_t fire_count_i
);
  localparam logic [2:0] LastMode = 3'd4;  // of frm
  decoded_t uop_d [CoreWidth], uop_q [CoreWidth];
  logic [31:0] imm_d [CoreWidth];
  count_t count_q, kept, room, taken;

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_lane
    decoder u_decoder (.insn_i(insn_i[i]), .fs_off_i, .uop_o(uop_d[i]), .imm_o(imm_d[i]));
    assign uop_o[i] = HasFp && uop_q[i].dyn_rm && frm_i > LastMode ? as_illegal(uop_q[i]) : uop_q[i];
    assign valid_o[i] = 32'(count_q) > i;
    assign insn_take_o[i] = !squash_i && insn_valid_i[i] && 32'(room) > i;
  end

  assign kept = count_q - fire_count_i;
  assign room = count_t'(CoreWidth) - kept;

  always_comb begin
    taken = '0;
    for (int i = 0; i < CoreWidth; i++) if (insn_take_o[i]) taken = count_t'(i + 1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= squash_i ? '0 : kept + taken;
  end

  // Slot i takes the old slot i + fire, or new lane i - kept.
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_slot
    always_ff @(posedge clk_i)
      if (32'(kept) > i) begin
        if (fire_count_i != '0) begin
          for (int k = i + 1; k < CoreWidth; k++)
            if (k == i + 32'(fire_count_i)) begin
              uop_q[i] <= uop_q[k];
              imm_o[i] <= imm_o[k];
              pc_o[i] <= pc_o[k];
              insn_o[i] <= insn_o[k];
            end
        end
      end else begin
        for (int k = 0; k <= i; k++)
          if (k + 32'(kept) == i && insn_take_o[k]) begin
            uop_q[i] <= uop_d[k];
            imm_o[i] <= imm_d[k];
            pc_o[i] <= insn_i[k].pc;
            insn_o[i] <= insn_i[k].insn;
          end
      end
  end

  `include "assert.svh"
  `ASSERT(FireWhatIsThere, fire_count_i <= count_q)
endmodule
