// Everything the simulated machine says to C (csrc/trace/dpi.c). Arguments are scalars, but for the records of every
// cycle: they go over as they are, and the shim (harness/model_shim.cpp) takes them apart.
package dpi_pkg;
  import core_pkg::*;
  import line_pkg::*;
  import records_pkg::*;

  localparam int PortInsn = 0;  // miss port numbers in the calls below
  localparam int PortData = 1;

  // ---- once, before the first cycle ----
  typedef struct packed {
    logic stages;  // the way of each instruction through the pipeline: the pipeline view wants it
    logic select;  // sample selection and OIR: the cross-check wants them
    logic retire;  // values of committing instructions: lockstep wants them
    logic bundle;  // the commit bundle: Oracle, profilers and tracers want it
  } options_t;
  import "DPI-C" function int unsigned tipoff_options();  // options_t; above it the groups of sim/signals.sv
  import "DPI-C" function longint unsigned tipoff_tohost_address();  // 0: the program has none
  import "DPI-C" function longint unsigned tipoff_memory_bytes();  // of DRAM: a power of two

  // ---- while the model is in reset (sim/warm_lines.sv) ----
  import "DPI-C" function int unsigned tipoff_warm_lines();  // lines that its L1 caches begin with; 0: they are empty
  // The next of them: where it goes (warm_t), its address and its data.
  import "DPI-C" function int unsigned tipoff_warm_line(output longint unsigned addr,
      output longint unsigned d0, output longint unsigned d1, output longint unsigned d2, output longint unsigned d3,
      output longint unsigned d4, output longint unsigned d5, output longint unsigned d6, output longint unsigned d7);
  typedef struct packed {
    logic [15:0] used;  // of its set, the ways that count as used lately
    logic [4:0] unused;
    logic owned;         // no other hart's cache has it
    logic insn;         // of the instruction cache
    logic dirty;
    logic [7:0] way;     // none: no line, but a cycle
  } warm_t;

  // ---- memory and devices (sim/machine.sv) ----
  // Order in a cycle: requests that were accepted in it, then one tick, then the data of the responses it announced.
  import "DPI-C" function void tipoff_line_read(input int port, input int id, input longint unsigned addr);
  import "DPI-C" function void tipoff_line_write(input int port, input longint unsigned addr,
      input longint unsigned d0, input longint unsigned d1, input longint unsigned d2, input longint unsigned d3,
      input longint unsigned d4, input longint unsigned d5, input longint unsigned d6, input longint unsigned d7);
  // Between two cycles, while tipoff_emit_dirty runs: a line that memory does not have yet.
  import "DPI-C" function void tipoff_dirty_line(input longint unsigned addr,
      input longint unsigned d0, input longint unsigned d1, input longint unsigned d2, input longint unsigned d3,
      input longint unsigned d4, input longint unsigned d5, input longint unsigned d6, input longint unsigned d7);
  import "DPI-C" function void tipoff_device_request(input int write, input int size, input longint unsigned addr,
      input longint unsigned data);
  // Where a bus lies between the tile and the machine: what passes at the tile's own line ports, before the tick.
  // Responses are those of the cycle that the tick ends.
  import "DPI-C" function void tipoff_tile_read(input int port, input int id, input longint unsigned addr);
  import "DPI-C" function void tipoff_tile_response(input int port, input int id, input int llc_miss);
  // A store that had left the core, and could not be done: comes before the tick.
  import "DPI-C" function void tipoff_lost_store(input longint unsigned addr);
  import "DPI-C" function int unsigned tipoff_tick(output longint unsigned mtime);
  import "DPI-C" function void tipoff_line_data(input int port,
      output longint unsigned d0, output longint unsigned d1, output longint unsigned d2, output longint unsigned d3,
      output longint unsigned d4, output longint unsigned d5, output longint unsigned d6, output longint unsigned d7);
  import "DPI-C" function longint unsigned tipoff_device_data();

  typedef struct packed {
    logic [3:0] reserved;
    logic hub_answer, hub_down;  // a message of the hub has come
    logic device_error, dmem_error, imem_error;  // of the response: the bus's answer is an error
    logic host;  // HTIF: the host wants to look at memory
    logic seip;
    logic [4:0] dmem_id;
    logic [4:0] imem_id;
    logic meip, mtip, msip;
    logic device_ready, device_response;
    logic dmem_llc_miss, dmem_response;
    logic imem_llc_miss, imem_response;
    logic dmem_ready, imem_ready;
  } tick_code_t;
  typedef struct packed {
    word_t mtime;
    tick_code_t code;
  } tick_t;
  // Of one of the tile's line ports.
  typedef struct packed {
    logic asks;
    logic [4:0] ask_id;
    word_t addr;
    logic comes;
    logic [4:0] id;
    logic llc_miss;
  } tile_line_t;

  function automatic tick_t tick();
    tick.code = tipoff_tick(tick.mtime);
  endfunction

  function automatic logic [LineBits-1:0] line_data(input int port);
    word_t d0, d1, d2, d3, d4, d5, d6, d7;
    tipoff_line_data(port, d0, d1, d2, d3, d4, d5, d6, d7);
    line_data = {d7, d6, d5, d4, d3, d2, d1, d0};
  endfunction

  // ---- the link to the hub, where harts.coherent is 1: messages of rtl/coherence/hub_pkg.sv ----
  // Before the tick, as requests are; what comes is fetched after the tick that announces it.
  import "DPI-C" function void tipoff_hub_request(input int kind, input int id, input longint unsigned line);
  import "DPI-C" function void tipoff_hub_up(input int flags, input int tag, input longint unsigned line,
      input longint unsigned d0, input longint unsigned d1, input longint unsigned d2, input longint unsigned d3,
      input longint unsigned d4, input longint unsigned d5, input longint unsigned d6, input longint unsigned d7);
  import "DPI-C" function void tipoff_hub_done(input int transaction);
  import "DPI-C" function void tipoff_hub_down(output int kind, output int tag, output longint unsigned line);
  import "DPI-C" function void tipoff_hub_answer(output int id, output int transaction, output int flags,
      output longint unsigned d0, output longint unsigned d1, output longint unsigned d2, output longint unsigned d3,
      output longint unsigned d4, output longint unsigned d5, output longint unsigned d6, output longint unsigned d7);

  // Flags: put, has, keeps, gave, refuses, from bit 0 on.
  /* verilator lint_off UNUSEDSIGNAL */  // valid; words that carry narrower fields
  function automatic void hub_up(input hub_pkg::hub_up_t up);
    tipoff_hub_up(int'({up.refuses, up.gave, up.keeps, up.has, up.put}), int'(up.tag), word_t'(up.line),
        up.data[63:0], up.data[127:64], up.data[191:128], up.data[255:192],
        up.data[319:256], up.data[383:320], up.data[447:384], up.data[511:448]);
  endfunction
  function automatic hub_pkg::hub_down_t hub_down();
    int kind, tag;
    word_t line;
    tipoff_hub_down(kind, tag, line);
    hub_down = '{valid: 1'b1, kind: hub_pkg::hub_down_e'(kind[2:0]), tag: tag[4:0], line: line[57:0]};
  endfunction
  // Flags: exclusive, dirty, peer, llc_miss, error, refused, from bit 0 on.
  function automatic hub_pkg::hub_answer_t hub_answer();
    int id, transaction, flags;
    word_t d0, d1, d2, d3, d4, d5, d6, d7;
    tipoff_hub_answer(id, transaction, flags, d0, d1, d2, d3, d4, d5, d6, d7);
    hub_answer = '{valid: 1'b1, id: id[4:0], transaction: transaction[4:0], exclusive: flags[0], dirty: flags[1],
                   peer: flags[2], llc_miss: flags[3], error: flags[4], refused: flags[5],
                   data: {d7, d6, d5, d4, d3, d2, d1, d0}};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- observation (sim/monitor.sv) ----
  // Order in a cycle: retired instructions oldest first, each followed by what it did, then the selection, then
  // tipoff_bundle, which closes the cycle. Cycles without a call equal the one before; tipoff_quiet ends a row of them:
  // it comes before all other calls of the next cycle that is passed.
  import "DPI-C" function void tipoff_quiet(input longint unsigned cycle);
  import "DPI-C" function void tipoff_retire(input int lane, input int rd_valid, input int rd,
      input longint unsigned value);
  import "DPI-C" function void tipoff_retire_store(input longint unsigned addr, input longint unsigned data,
                                                   input int size);
  import "DPI-C" function void tipoff_retire_csr(input int addr, input longint unsigned value);
  import "DPI-C" function void tipoff_trap(input int is_interrupt, input int cause, input longint unsigned tval,
      input longint unsigned epc);
  import "DPI-C" function void tipoff_fflags(input int value);  // fcsr's accrued exceptions, where they changed
  // Stages: an instruction enters the ROB (fetched: the cycle in which its packet went into the fetch buffer), it reads
  // its registers, it is done; everything younger than rob (all: everything) dies.
  import "DPI-C" function void tipoff_stage_dispatch(input int rob, input longint unsigned fetched,
                                                     input longint unsigned pc,
      input int unsigned insn);
  import "DPI-C" function void tipoff_stage_issue(input int rob);
  import "DPI-C" function void tipoff_stage_done(input int rob);
  import "DPI-C" function void tipoff_stage_squash(input int all, input int rob);
  import "DPI-C" function void tipoff_signal(input int slot, input longint unsigned value);  // of sim/signals.sv
  // bit, not logic: words of two states.
  typedef bit [$bits(commit_bundle_t)-1:0] bundle_bits_t;
  typedef bit [$bits(sample_t)-1:0] sample_bits_t;
  typedef bit [$bits(oir_t)-1:0] oir_bits_t;
  import "DPI-C" function void tipoff_selection(input sample_bits_t sample, input oir_bits_t oir);
  import "DPI-C" function void tipoff_bundle(input longint unsigned cycle, input bundle_bits_t bundle);
  // The harness's unit: a trigger in this cycle, that starts a sample (taken) or is one more of the sample that it
  // holds; and a sample that can be read from this cycle on.
  import "DPI-C" function void tipoff_trigger(input longint unsigned cycle, input int taken);
  import "DPI-C" function void tipoff_sample(input longint unsigned cycle);
  import "DPI-C" function void tipoff_tohost(input longint unsigned addr, input longint unsigned data, input int size);

  // ---- the host's accesses to memory (sim/htif.sv) ----
  // Which word it wants (0: none any more). Once nothing of its line is on the way: the word as the cache has it
  // (cached), else memory's is meant; the result says whether it becomes data, in memory, and in the cache where it was
  // cached.
  import "DPI-C" function longint unsigned tipoff_host_address();
  import "DPI-C" function int tipoff_host_access(input int cached, input longint unsigned word,
                                                 output longint unsigned data);
endpackage
