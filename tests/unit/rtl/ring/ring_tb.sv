// Places of rings and queues of several sizes side by side: the bench gives each its own inputs.
module ring_tb (
  input  logic clk_i,
  input  logic rst_ni,
  // ring_ptr: sizes, most places in a cycle; odd ones have no wrap bit
  output int size_o [8],
  output int most_o [8],
  input  logic [7:0] put_i,
  input  logic [7:0] put_at_i [8],
  input  logic [7:0] step_i [8],
  output logic [7:0] at_o [64],          // size, then places on
  // fifo: depth is the size
  input  logic [7:0] push_i,
  input  logic [15:0] data_i [8],
  input  logic [7:0] pop_i,
  output logic [7:0] room_o,
  output logic [7:0] valid_o,
  output logic [15:0] data_o [8]
);
  localparam int unsigned Sizes [8] = '{1, 2, 3, 4, 5, 8, 17, 31}, Mosts [8] = '{1, 1, 3, 2, 4, 4, 7, 5};
  for (genvar s = 0; s < 8; s++) begin : gen_size
    localparam int unsigned Size = Sizes[s], Most = Mosts[s];
    localparam int unsigned Bits = (Size > 1 ? $clog2(Size) : 1) + (s % 2 == 0 ? 1 : 0);
    logic [Bits-1:0] at [Most+1];
    assign size_o[s] = Size;
    assign most_o[s] = Most;
    ring_ptr #(.Size(Size), .Most(Most), .Wrap(s % 2 == 0)) u_ptr (
      .clk_i, .rst_ni, .put_i(put_i[s]), .put_at_i(put_at_i[s][Bits-1:0]), .step_i(step_i[s][$clog2(Most+1)-1:0]),
      .at_o(at)
    );
    for (genvar n = 0; n < 8; n++) begin : gen_at
      if (n <= Most) begin : gen_on
        assign at_o[8*s+n] = 8'(at[n]);
      end else begin : gen_off
        assign at_o[8*s+n] = '0;
      end
    end
    fifo #(.Width(16), .Depth(Size)) u_fifo (
      .clk_i, .rst_ni, .push_i(push_i[s]), .data_i(data_i[s]), .pop_i(pop_i[s]),
      .room_o(room_o[s]), .valid_o(valid_o[s]), .data_o(data_o[s])
    );
  end
endmodule
