// The data cache's two ports, lines asked for and dirty lines that leave, on the tile's one: writes go first, so that
// memory sees a line's write before a later read of it; what is accepted is acknowledged.
module line_mux
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  get_t get_i,
  output logic get_take_o,
  input  put_t put_i,
  output put_in_t put_o,
  output line_req_t line_o,
  input  logic ready_i
);
  assign put_o.take = put_i.valid && ready_i;
  assign put_o.done = put_i.valid && ready_i ? wb_vec_t'(1) << put_i.id : '0;
  assign get_take_o = get_i.valid && !put_i.valid && ready_i;
  assign line_o = '{
    valid: put_i.valid || get_i.valid,
    write: put_i.valid,
    id: 5'(get_i.id),
    addr: word_t'({put_i.valid ? put_i.line : get_i.line, 6'd0}),
    data: put_i.data
  };
endmodule
