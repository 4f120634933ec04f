// Loads that should not run ahead of stores: one bit for each of a few hundred hashed addresses.
//
// A load that ran ahead of a store sets its bit; one that is replayed for another reason could not have waited for it.
// Loads whose bit is set wait until all older stores have issued, which with the key issue.split_stores is: until their
// addresses are known. All bits are cleared from time to time, so that a load that collided once is not held back
// forever. Lookup is combinational.
module wait_table
  import config_pkg::*;
  import core_pkg::*;
  import commit_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  word_t pc_i [CoreWidth],
  output logic [CoreWidth-1:0] waits_o,
  /* verilator lint_off UNUSEDSIGNAL */  // replays alone
  input  raise_t raise_i
  /* verilator lint_on UNUSEDSIGNAL */
);
  localparam int unsigned IndexBits = 8;
  localparam int unsigned ClearBits = 17;  // cycles between clears, log2

  logic [2**IndexBits-1:0] wait_q;
  logic [ClearBits-1:0] age_q;
  logic learn;
  assign learn = raise_i.valid && raise_i.replay && raise_i.cause == ReplayOrder;

  /* verilator lint_off UNUSEDSIGNAL */  // of some bits of the address
  function automatic logic [IndexBits-1:0] hash(input word_t pc);
  /* verilator lint_on UNUSEDSIGNAL */
    hash = pc[IndexBits:1] ^ pc[2*IndexBits:IndexBits+1];
  endfunction

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_lane
    assign waits_o[i] = wait_q[hash(pc_i[i])];
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      wait_q <= '0;
      age_q <= '0;
    end else begin
      age_q <= age_q + ClearBits'(1);
      if (age_q == '1) wait_q <= '0;
      else if (learn) wait_q[hash(raise_i.epc)] <= 1'b1;
    end
endmodule
