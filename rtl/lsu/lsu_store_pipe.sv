// Stores from EX to M1, one port: the search for younger loads that ran ahead, as the address is known, and completion,
// when the data are known, too.
//
// Latency: one cycle; a store that a squash kills in its M1 has no effect.
module lsu_store_pipe
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // EX
  input  logic here_i,             // valid instruction: without it neither of the two below
  input  logic valid_i,            // the address
  input  logic done_i,             // it is complete with this
  input  word_t addr_i,
  input  load_info_t info_i,
  input  logic exception_i,
  input  cause_t cause_i,
  // M1
  output store_search_t search_o,
  output mem_done_t done_o
);
  logic valid_q, done_q, exception_q, alive;
  word_t addr_q;
  store_info_t info_q;
  load_info_t ex_q;
  cause_t cause_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      valid_q <= valid_i;
      done_q <= done_i;
    end
  end

  always_ff @(posedge clk_i)
    if (here_i) begin
      addr_q <= addr_i;
      info_q <= '{rob: info_i.rob, sq: info_i.sq, mask: byte_mask(info_i.size, addr_i[2:0])};
      ex_q <= info_i;
      exception_q <= valid_i && exception_i;
      cause_q <= cause_i;
    end

  assign alive = !killed(squash_i, info_q.rob);
  assign search_o = '{valid: valid_q && alive && !exception_q, addr: addr_q, info: info_q};
  assign done_o = '{
    valid: done_q && alive,
    rob: info_q.rob,
    pd_valid: 1'b0,
    pd: '0,
    data: '0,
    exception: done_q && alive && exception_q,
    cause: cause_q,
    tval: virtual_address(addr_q, ex_q)
  };
endmodule
