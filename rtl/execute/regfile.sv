// Physical registers, integer ones first, then floating-point ones. Reads are combinational, writes take effect at the end of the cycle.
//
// Writes of ports whose readers were woken for them in advance (port_pkg::forwards) are forwarded to reads of the same
// cycle; the others' readers come a cycle later. x0..x31 and f0..f31 start as zero: they are read
// before they are written.
module regfile
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rename_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  preg_t read_i [Readers],
  output word_t data_o [Readers],
  input  result_t write_i [Writers],
  // what leaves the core, for observers
  input  retire_t retire_i [CoreWidth],
  output word_t retired_o [CoreWidth]
);
  word_t regs_q [Pregs];

  for (genvar r = 0; r < Readers; r++) begin : gen_read
    always_comb begin
      data_o[r] = regs_q[read_i[r]];
      for (int w = 0; w < Writers; w++)
        if (forwards(w) && write_i[w].valid && write_i[w].pd == read_i[r]) data_o[r] = write_i[w].data;
    end
  end

  always_comb
    for (int k = 0; k < CoreWidth; k++) retired_o[k] = retire_i[k].pd_valid ? regs_q[retire_i[k].pd] : '0;

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      for (int r = 0; r < 32; r++) begin
        regs_q[r] <= '0;
        if (HasFp) regs_q[PregBits'(IntPregs + r)] <= '0;
      end
    end else begin
      for (int w = 0; w < Writers; w++) if (write_i[w].valid) regs_q[write_i[w].pd] <= write_i[w].data;
    end

  `include "assert.svh"
  for (genvar w = 0; w < Writers; w++) begin : gen_assert
    logic to_x0;
    assign to_x0 = write_i[w].valid && write_i[w].pd == '0;
    `ASSERT(NeverX0, !to_x0)
  end
endmodule
