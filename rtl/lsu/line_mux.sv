// The data cache's two ports, lines asked for and dirty lines that leave, on the tile's one: writes go first, so that
// memory sees a line's write before a later read of it; what is accepted is acknowledged.
module line_mux
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // one kind of request, and every line that leaves has data
  input  get_t get_i,
  input  put_t put_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output get_in_t get_o,
  output put_in_t put_o,
  output line_req_t line_o,
  input  line_in_t line_i
);
  assign put_o.take = put_i.valid && line_i.ready;
  assign put_o.done = put_i.valid && line_i.ready ? wb_vec_t'(1) << put_i.id : '0;
  assign get_o.take = get_i.valid && !put_i.valid && line_i.ready;
  assign get_o.resp = '{
    valid: line_i.resp.valid, id: line_i.resp.id, exclusive: 1'b1, llc_miss: line_i.resp.llc_miss,
    error: line_i.resp.error, data: line_i.resp.data, default: '0
  };
  assign line_o = '{
    valid: put_i.valid || get_i.valid,
    write: put_i.valid,
    id: 5'(get_i.id),
    addr: word_t'({put_i.valid ? put_i.line : get_i.line, 6'd0}),
    data: put_i.data
  };
endmodule
