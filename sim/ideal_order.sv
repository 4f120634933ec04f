// Ideal memory order: a load waits for the youngest older store that will write what it reads, as if the addresses of
// all stores were known from the start; and for no other. Combinational in M1.
//
// In front of what the store queue has found (rtl/lsu/lsu.sv): a store without an address yet is reported to be
// met, without data, and the load sleeps until they come. So none runs ahead of a store that it needs, and none learns
// to wait.
`define IDEAL gen_ideal_parts.u_ideal
`define QUEUE u_tile.u_core.u_lsu.u_store_queue
module ideal_order
  import config_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
  import ideal_pkg::*;
(
  input  store_look_t  look_i [MemPorts],
  input  load_info_t   info_i [MemPorts],
  input  store_found_t found_i [MemPorts],
  output store_found_t found_o [MemPorts]
);
  // The place n stores before this one.
  function automatic sq_idx_t places_before(input sq_idx_t sq, input int unsigned n);
    places_before.idx = (SqBits - 1)'(32'(sq.idx) >= n ? 32'(sq.idx) - n : 32'(sq.idx) + SqEntries - n);
    places_before.wrap = 32'(sq.idx) >= n ? sq.wrap : !sq.wrap;
  endfunction

  always_comb begin
    automatic int unsigned back = 0;
    automatic sq_idx_t met = '0;
    for (int p = 0; p < MemPorts; p++) begin
      found_o[p] = found_i[p];
      if (`IDEAL.parts_o.memory_order && look_i[p].valid && !info_i[p].hint) begin
        back = tipoff_ideal_store(`IDEAL.number_of(info_i[p].rob), look_i[p].addr, 32'(look_i[p].mask));
        met = places_before(look_i[p].sq, back);
        if (back != 0 && back <= sq_used(`QUEUE.head_q, look_i[p].sq) && !`QUEUE.known_q[met.idx])
          found_o[p] = '{full: 1'b0, part: 1'b1, sq: met, word: '0};
      end
    end
  end
endmodule
`undef IDEAL
`undef QUEUE
