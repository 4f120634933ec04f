// A place in a ring of any size: where its head, its tail or another mark is, and the places that follow.
//
//   at_o[0] | at_o[1] ... at_o[Most]     where it is, and one to Most places on
//
// It moves on by step_i places, or is put elsewhere; at_o[0] shows it in the next cycle. With Wrap a place has a bit on
// top of its index that changes each time round (ring_pkg), so that a full ring differs from an empty one. Reset puts
// it at 0.
module ring_ptr
  import ring_pkg::*;
#(
  parameter int unsigned Size = 8,
  parameter int unsigned Most = 1,               // places in a cycle, up to Size
  parameter bit Wrap = 1'b1,
  parameter int unsigned IdxBits = Size > 1 ? $clog2(Size) : 1,
  localparam int unsigned Bits = IdxBits + 32'(Wrap),
  localparam int unsigned StepBits = $clog2(Most + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic put_i,                            // above step_i
  input  logic [Bits-1:0] put_at_i,
  input  logic [StepBits-1:0] step_i,
  output logic [Bits-1:0] at_o [Most+1]
);
  logic [Bits-1:0] at_q;

  for (genvar n = 0; n <= Most; n++) begin : gen_at
    logic [IdxBits-1:0] idx;
    assign idx = IdxBits'(ring_sum(32'(at_q[IdxBits-1:0]), n, Size));
    if (Wrap) begin : gen_wrap
      assign at_o[n] = {at_q[IdxBits] ^ ring_wraps(32'(at_q[IdxBits-1:0]), n, Size), idx};
    end else begin : gen_idx
      assign at_o[n] = idx;
    end
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) at_q <= '0;
    else at_q <= put_i ? put_at_i : at_o[step_i];

  `include "assert.svh"
  if (2**StepBits - 1 != Most) begin : gen_steps
    `ASSERT(StepIsShort, put_i || 32'(step_i) <= Most)
  end
  if (2**IdxBits != Size) begin : gen_places
    `ASSERT(PutInside, !put_i || 32'(put_at_i[IdxBits-1:0]) < Size)
  end
  `ASSERT(Known, !$isunknown({put_i, step_i, at_q}))
endmodule
