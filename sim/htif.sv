// The host's accesses to a program's memory (HTIF: csrc/machine/htif.h): reads a word, and may write it, where the core
// has it: in its L1 data cache, else in memory.
//
// Reads and writes arrays of the load/store unit by name; the design has no port for it. An access waits until nothing
// of its line is on the way: no committed store to the word, no AMO, no miss, no refill, no write-back. Then it is
// atomic, within one cycle, like a store of another hart. A line that is in the cache is written there and in memory:
// its dirty bit stays.
`define LSU u_tile.u_core.u_lsu
`define DCACHE `LSU.u_dcache
`define WAY `DCACHE.gen_way[w].u_way
module htif
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
  import dpi_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic host_i,  // it wants to look at memory
  input logic writes_i // lines are on their way to memory, on a bus
);
  word_t addr_q;      // the word, 0: not known yet
  logic active;
  logic in_memory_q;  // it wrote a word in the cycle before: of memory alone, of the cache's way
  logic [DcWays-1:0] in_way_q;
  logic wrote;        // for sim/access_events.sv
  logic [DcWays-1:0] way_hit;
  dc_set_t set;
  assign active = host_i && addr_q != '0;
  assign set = addr_q[6+:DcSetBits];
  assign wrote = in_memory_q || in_way_q != '0;

  function automatic logic moving();
    sq_vec_t committed;
    committed = sq_range(`LSU.u_store_queue.head_q, `LSU.u_store_queue.sq_commit_q);
    moving = `LSU.u_amo.state_q != '0 || `DCACHE.refill_o.valid || `DCACHE.wb_push.valid || !`DCACHE.wb_empty ||
             writes_i;
    for (int i = 0; i < SqEntries; i++)
      if (committed[i] && `LSU.u_store_queue.sq_addr_q[i][63:3] == addr_q[63:3]) moving = 1'b1;
    for (int i = 0; i < DcMshrs; i++)
      if (`DCACHE.u_mshr_file.valid_q[i] && `DCACHE.u_mshr_file.line_q[i] == line_of(addr_q)) moving = 1'b1;
    for (int p = 0; p < MemPorts; p++)
      if (`LSU.look_valid[p] && line_of(`LSU.m1_addr[p]) == line_of(addr_q) && (`LSU.look_write[p] || !`LSU.hit[p]))
        moving = 1'b1;
  endfunction

  always_ff @(posedge clk_i) begin
    automatic word_t unused;
    in_memory_q <= 1'b0;
    if (!rst_ni || !host_i) addr_q <= '0;
    else if (addr_q == '0) addr_q <= tipoff_host_address();
    else if (!moving()) begin
      addr_q <= '0;
      if (way_hit == '0) in_memory_q <= tipoff_host_access(0, '0, unused) != 0;
    end
  end

  for (genvar w = 0; w < DcWays; w++) begin : gen_way
    logic [7:0][63:0] words;
    for (genvar b = 0; b < 8; b++) begin : gen_bank
      assign words[b] = active ? `WAY.gen_bank[b].u_words.mem_q[set] : '0;
    end
    assign way_hit[w] = active && `WAY.valid_q[set] && `WAY.u_tags.mem_q[set] == addr_q[PaBits-1:6+DcSetBits];

    // Nested: Verilator would make the call whatever stands to the left of an &&.
    always_ff @(posedge clk_i) begin
      automatic word_t data;
      automatic logic write;
      in_way_q[w] <= 1'b0;
      if (way_hit[w]) begin
        if (!moving()) begin
          write = tipoff_host_access(1, words[addr_q[5:3]], data) != 0;
          in_way_q[w] <= write;
          if (write) begin
            case (addr_q[5:3])
              3'd0: `WAY.gen_bank[0].u_words.mem_q[set] <= data;
              3'd1: `WAY.gen_bank[1].u_words.mem_q[set] <= data;
              3'd2: `WAY.gen_bank[2].u_words.mem_q[set] <= data;
              3'd3: `WAY.gen_bank[3].u_words.mem_q[set] <= data;
              3'd4: `WAY.gen_bank[4].u_words.mem_q[set] <= data;
              3'd5: `WAY.gen_bank[5].u_words.mem_q[set] <= data;
              3'd6: `WAY.gen_bank[6].u_words.mem_q[set] <= data;
              default: `WAY.gen_bank[7].u_words.mem_q[set] <= data;
            endcase
          end
        end
      end
    end
  end
endmodule
