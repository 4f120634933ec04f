// sample_select with plain ports of fixed size, so that one bench serves every width. The clock is not used.
module sample_select_tb
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
(
  input  logic        clk_i,
  output logic [3:0]  width_o,
  input  logic [7:0]  valid_i,
  input  logic [7:0]  commit_i,
  input  logic [7:0]  first_i,
  input  logic [63:0] pc_i [8],
  input  logic [15:0] psv_i [8],
  input  logic [2:0]  oldest_i,
  input  logic        rob_empty_i,
  input  logic        exception_i,
  input  logic [63:0] exception_pc_i,
  input  logic [15:0] exception_psv_i,
  input  logic [1:0]  priv_i,
  input  logic [63:0] space_i,
  input  logic        oir_valid_i,
  input  logic [2:0]  oir_flags_i,  // exception, flush, mispredict
  input  logic [63:0] oir_pc_i,
  input  logic [15:0] oir_psv_i,
  input  logic [1:0]  oir_priv_i,
  input  logic [63:0] oir_space_i,
  output logic [1:0]  state_o,
  output logic [7:0]  valid_o,
  output logic [2:0]  oldest_o,
  output logic [2:0]  flags_o,      // exception, flush, mispredict
  output logic [1:0]  priv_o,
  output logic [63:0] space_o,
  output logic [63:0] addr_o [8],
  output logic [15:0] psv_o [8]
);
  commit_bundle_t bundle;
  oir_t oir;
  sample_t sample;
  assign width_o = 4'(CoreWidth);
  always_comb begin
    bundle = '0;
    bundle.valid = valid_i[CoreWidth-1:0];
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.first = first_i[CoreWidth-1:0];
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.rob_empty = rob_empty_i;
    bundle.exception = exception_i;
    bundle.exception_pc = exception_pc_i;
    bundle.priv = priv_i;
    bundle.space = space_i[SpaceBits-1:0];
    bundle.exception_psv = exception_psv_i[PsvBits-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.pc[i] = pc_i[i];
      bundle.psv[i] = psv_i[i][PsvBits-1:0];
    end
    oir = '{valid: oir_valid_i, pc: oir_pc_i, mispredict: oir_flags_i[0], flush: oir_flags_i[1],
            exception: oir_flags_i[2], psv: oir_psv_i[PsvBits-1:0], priv: oir_priv_i,
            space: oir_space_i[SpaceBits-1:0]};
  end
  sample_select u_sample_select (.bundle_i(bundle), .oir_i(oir), .sample_o(sample));
  assign state_o = sample.state;
  assign valid_o = 8'(sample.valid);
  assign oldest_o = 3'(sample.oldest);
  assign flags_o = {sample.exception, sample.flush, sample.mispredict};
  assign priv_o = sample.priv;
  assign space_o = 64'(sample.space);
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    if (i < CoreWidth) begin : gen_used
      assign addr_o[i] = sample.addr[i];
      assign psv_o[i] = 16'(sample.psv[i]);
    end else begin : gen_unused
      assign addr_o[i] = '0;
      assign psv_o[i] = '0;
    end
  end
endmodule
