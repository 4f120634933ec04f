// regfile with flat ports of fixed size.
module regfile_tb
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rename_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] pregs_o,
  output logic [31:0] readers_o,
  output logic [31:0] writers_o,
  output logic [15:0] forwards_o,
  input  logic [15:0] read_i [32],
  output logic [63:0] data_o [32],
  input  logic [15:0] write_i,
  input  logic [15:0] write_pd_i [16],
  input  logic [63:0] write_data_i [16],
  output logic [31:0] lanes_o,
  input  logic [7:0]  retire_i,
  input  logic [15:0] retire_pd_i [8],
  output logic [63:0] retired_o [8]
);
  preg_t read [Readers];
  word_t data [Readers];
  result_t write [Writers];
  retire_t retire [CoreWidth];
  word_t retired [CoreWidth];
  always_comb begin
    for (int r = 0; r < Readers; r++) read[r] = preg_t'(read_i[r]);
    for (int w = 0; w < Writers; w++)
      write[w] = '{valid: write_i[w], pd: preg_t'(write_pd_i[w]), data: write_data_i[w]};
    for (int k = 0; k < CoreWidth; k++) begin
      retire[k] = '0;
      retire[k].pd_valid = retire_i[k];
      retire[k].pd = preg_t'(retire_pd_i[k]);
    end
  end
  regfile u_regfile (.clk_i, .rst_ni, .read_i(read), .data_o(data), .write_i(write), .retire_i(retire),
                     .retired_o(retired));
  for (genvar r = 0; r < 32; r++) begin : gen_read
    if (r < Readers) begin : gen_port
      assign data_o[r] = data[r];
    end else begin : gen_none
      assign data_o[r] = '0;
    end
  end
  for (genvar k = 0; k < 8; k++) begin : gen_lane
    if (k < CoreWidth) begin : gen_port
      assign retired_o[k] = retired[k];
    end else begin : gen_none
      assign retired_o[k] = '0;
    end
  end
  assign lanes_o = CoreWidth;
  assign pregs_o = IntPregs;
  assign readers_o = Readers;
  assign writers_o = Writers;
  for (genvar w = 0; w < 16; w++) begin : gen_forwards
    assign forwards_o[w] = w < Writers && forwards(w);
  end
endmodule
