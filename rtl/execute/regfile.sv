// Physical registers, integer ones first, then floating-point ones. Reads are combinational, writes take effect at the
// end of the cycle.
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
  // Read ports: those of the readers, then one a lane for observers.
  localparam int unsigned Reads = Readers + CoreWidth;
  logic [Reads-1:0] read;
  preg_t read_at [Reads], write_at [Writers];
  word_t data [Reads], write_data [Writers];
  logic [Writers-1:0] write;
  mp_ram #(.Words(Pregs), .Width(64), .Reads(Reads), .Writes(Writers), .Cleared(32),
           .Again(HasFp ? IntPregs : 0)) u_regs (
    .clk_i, .rst_ni, .read_i(read), .read_addr_i(read_at), .data_o(data), .write_i(write), .write_addr_i(write_at),
    .write_data_i(write_data)
  );

  always_comb begin
    for (int r = 0; r < Readers; r++) begin
      read[r] = 1'b1;
      read_at[r] = read_i[r];
    end
    for (int k = 0; k < CoreWidth; k++) begin
      read[Readers+k] = retire_i[k].pd_valid;
      read_at[Readers+k] = retire_i[k].pd;
    end
    for (int w = 0; w < Writers; w++) begin
      write[w] = write_i[w].valid;
      write_at[w] = write_i[w].pd;
      write_data[w] = write_i[w].data;
    end
  end

  for (genvar r = 0; r < Readers; r++) begin : gen_read
    always_comb begin
      data_o[r] = data[r];
      for (int w = 0; w < Writers; w++)
        if (forwards(w) && write_i[w].valid && write_i[w].pd == read_i[r]) data_o[r] = write_i[w].data;
    end
  end

  for (genvar k = 0; k < CoreWidth; k++) begin : gen_retired
    assign retired_o[k] = data[Readers+k];
  end

  `include "assert.svh"
  for (genvar w = 0; w < Writers; w++) begin : gen_assert
    logic to_x0;
    assign to_x0 = write_i[w].valid && write_i[w].pd == '0;
    `ASSERT(NeverX0, !to_x0)
  end
endmodule
