// Emits to C, at the end of a run, the lines that memory does not have yet: those that are dirty in the L1 data cache,
// and those on their way out of it; and how many stores have committed and are not done. Reads the arrays by name,
// between two cycles; the core does not notice.
`define DCACHE u_tile.u_core.u_lsu.u_dcache
`define STORES u_tile.u_core.u_lsu.u_store_queue
`define BUS_WRITE u_bus.gen_axi.u_lines.u_write
`define WAY `DCACHE.gen_way[w].u_way
module dirty_lines
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
  import dpi_pkg::*;
();
  // Each way emits its dirty lines, then those of the lower ways.
  for (genvar w = 0; w < DcWays; w++) begin : gen_way
    function automatic void emit_own();
      for (int s = 0; s < DcSets; s++)
        if (`WAY.valid_q[s] && `WAY.dirty_q[s])
          tipoff_dirty_line(word_t'({`WAY.u_tags.mem_q[s], dc_set_t'(s), 6'd0}),
                            `WAY.gen_bank[0].u_words.mem_q[s], `WAY.gen_bank[1].u_words.mem_q[s],
                            `WAY.gen_bank[2].u_words.mem_q[s], `WAY.gen_bank[3].u_words.mem_q[s],
                            `WAY.gen_bank[4].u_words.mem_q[s], `WAY.gen_bank[5].u_words.mem_q[s],
                            `WAY.gen_bank[6].u_words.mem_q[s], `WAY.gen_bank[7].u_words.mem_q[s]);
    endfunction
    if (w == 0) begin : gen_below
      function automatic void emit();
        emit_own();
      endfunction
    end else begin : gen_below
      function automatic void emit();
        emit_own();
        gen_way[w-1].gen_below.emit();
      endfunction
    end
  end

  // On a bus: the oldest first, where a line is on its way twice.
  if (BusAxi != 0) begin : gen_bus
    function automatic void emit();
      logic [LineBits-1:0] line;
      logic [$bits(`BUS_WRITE.head_q)-1:0] at;
      for (int i = 0; i < $bits(`BUS_WRITE.valid_q); i++) begin
        at = `BUS_WRITE.head_q + ($bits(at))'(i);
        line = `BUS_WRITE.data_q[at];
        if (`BUS_WRITE.valid_q[at])
          tipoff_dirty_line({`BUS_WRITE.line_q[at], 6'd0}, line[0+:64], line[64+:64], line[128+:64], line[192+:64],
                            line[256+:64], line[320+:64], line[384+:64], line[448+:64]);
      end
    endfunction
  end else begin : gen_bus
    function automatic void emit();
    endfunction
  end

  export "DPI-C" function tipoff_emit_dirty;
  function automatic void tipoff_emit_dirty();
    logic [LineBits-1:0] line;
    wb_idx_t at;
    gen_bus.emit();
    gen_way[DcWays-1].gen_below.emit();
    for (int i = 0; i < WbEntries; i++) begin  // tail_q: the oldest, or none
      at = `DCACHE.u_writeback_buffer.tail_q + wb_idx_t'(i);
      line = `DCACHE.u_writeback_buffer.u_data.mem_q[at];
      if (`DCACHE.u_writeback_buffer.valid_q[at] && !`DCACHE.u_writeback_buffer.void_q[at])
        tipoff_dirty_line(word_t'({`DCACHE.u_writeback_buffer.line_q[at], 6'd0}), line[0+:64], line[64+:64],
                          line[128+:64], line[192+:64], line[256+:64], line[320+:64], line[384+:64], line[448+:64]);
    end
  endfunction

  // Committed stores that wait, oldest first, up to the youngest one to the word at `last`; `head`: where the oldest
  // is, another place whenever one is done. 0: no such store waits.
  export "DPI-C" function tipoff_stores_left;
  function automatic int tipoff_stores_left(input longint unsigned last, output int head);
    sq_idx_t at;
    head = int'({`STORES.head_q.wrap, `STORES.head_q.idx});
    tipoff_stores_left = 0;
    for (int i = 0; i < 32'(sq_used(`STORES.head_q, `STORES.sq_commit_q)); i++) begin
      at = sq_add(`STORES.head_q, 32'(i));
      if (`STORES.sq_addr_q[at.idx][63:3] == last[63:3]) tipoff_stores_left = i + 1;
    end
  endfunction
endmodule
`undef STORES
`undef DCACHE
`undef WAY
`undef BUS_WRITE
