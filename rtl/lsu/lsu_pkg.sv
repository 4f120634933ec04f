// Types and small functions of the load/store unit.
//
// An access never crosses its aligned 8-byte word (misaligned ones raise an exception), so an overlap of two
// accesses is: same word, and byte masks that meet.
package lsu_pkg;
  import config_pkg::*;
  import ring_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;

  localparam int unsigned WaitEntries = 8 * MemPorts;  // instructions that wait for their translation

  typedef logic [LqEntries-1:0] lq_vec_t;
  typedef logic [SqEntries-1:0] sq_vec_t;

  // What a cache port does in M1.
  typedef enum logic [3:0] {
    SLOT_NONE,
    SLOT_LOAD,       // first try or retry of a load
    SLOT_DEVICE,     // a device load completes
    SLOT_DRAIN,      // the oldest committed store is written
    SLOT_PROBE,      // a store that just executed fetches its line ahead of time
    SLOT_PREFETCH,   // the line after one that missed
    SLOT_AMO_READ,
    SLOT_AMO_WRITE,
    SLOT_TABLE       // the walker reads a page-table entry
  } slot_e;

  // How a load leaves M1.
  typedef enum logic [2:0] {
    RES_DONE,        // data or exception delivered
    RES_RETRY,       // try again as soon as a port is free
    RES_MISS,        // wait for the refill of an MSHR
    RES_FULL,        // missed and found no MSHR: wait for any refill
    RES_STORE,       // wait for the data of a store, or until one that covers only part of it is in the cache
    RES_DEVICE       // device load: wait until it is the oldest instruction
  } result_e;

  typedef struct packed {
    rob_idx_t rob;
    lq_idx_t lq;
    sq_idx_t sq;     // stores before this one are older
    preg_t pd;
    logic pd_valid;
    logic [1:0] size;
    logic uns;       // zero-extends
    logic box;       // flw: ones above
    logic hint;      // a prefetch: fetches its line if it can, and completes at once whatever it finds
    logic owns;      // ... of a line that will be written
    logic mapped;    // it was translated: vpn is its page, else its address is the instruction's own
    logic [26:0] vpn;
  } load_info_t;

  typedef struct packed {
    logic valid;
    lq_idx_t lq;
    result_e result;
    mshr_t mshr;     // RES_MISS
    logic fwd;       // RES_DONE: data came from the store queue
    sq_idx_t sq;     // that store, or RES_STORE: the one waited for
    logic missed;    // found no line in the L1
  } load_result_t;

  typedef struct packed {
    rob_idx_t rob;
    sq_idx_t sq;
    logic [7:0] mask;
  } store_info_t;

  // A store executes: its place; its physical address, its data, or both.
  typedef struct packed {
    logic valid;     // the address
    logic has_data;
    sq_idx_t sq;
    word_t addr;
    word_t data;     // low bytes
    logic [1:0] size;
    logic device;    // a device's address
  } store_ex_t;

  // A load asks which store has its bytes; the answer.
  typedef struct packed {
    logic valid;
    word_t addr;
    logic [7:0] mask;
    sq_idx_t sq;     // stores before this one are older
  } store_look_t;
  typedef struct packed {
    logic full;      // one store has all of them: word
    logic part;      // it has only some, or its data are not known yet
    sq_idx_t sq;     // that store
    word_t word;     // its data in their place in the 8-byte word
  } store_found_t;

  typedef struct packed {
    logic valid;
    sq_idx_t sq;
  } sq_ref_t;

  // All that the load/store unit sends out, and what comes; with harts.coherent line.ready says that the hub takes the
  // request.
  typedef struct packed {
    line_pkg::line_req_t line;
    line_pkg::device_req_t device;
    hub_pkg::hub_out_t hub;
  } lsu_out_t;
  typedef struct packed {
    line_pkg::line_in_t line;
    line_pkg::device_in_t device;
    hub_pkg::hub_in_t hub;
  } lsu_in_t;

  // Of loads: where their line has come from, beyond the last-level cache or another hart.
  typedef struct packed {
    logic llc;
    logic peer;
  } source_t;
  typedef struct packed {
    source_t [MemPorts-1:0] ended;  // of those in M1
    source_t oldest;                // of the oldest one, in this cycle, and it is not in M1
    rob_idx_t rob;                  // the oldest one
  } load_met_t;

  // A store whose address is known looks for younger loads that have their data already.
  typedef struct packed {
    logic valid;
    word_t addr;
    store_info_t info;
  } store_search_t;

  // A committed store that goes to a device.
  typedef struct packed {
    logic valid;
    word_t addr;
    word_t data;     // low bytes
    logic [1:0] size;
  } store_device_t;

  // How it ends.
  typedef struct packed {
    logic valid;
    logic lost;        // the bus has answered with an error
  } store_device_end_t;

  // ---- who asks for a cache port in EX, besides a drain (below), and what a port has in M1 ----
  // A load on its first try, or a store that would fetch its line.
  typedef struct packed {
    logic load;
    logic probe;
    word_t addr;       // physical
    load_info_t info;
    logic exception;
    cause_t cause;
    logic device;      // a device's address
  } fresh_t;
  // A load that has waited: for a retry, or a device's with its data.
  typedef struct packed {
    logic valid;
    logic error;       // the bus has answered with an error: addr is virtual
    word_t addr;
    load_info_t info;
  } load_ask_t;
  // The walker's read of a table entry.
  typedef struct packed {
    logic valid;
    logic urgent;      // goes before loads
    logic lacks;       // has found no MSHR
    word_t addr;
  } table_ask_t;
  typedef struct packed {
    logic valid;
    logic write;       // else it reads
    logic urgent;      // goes before loads
    logic lacks;       // has found no MSHR
    word_t addr;
    word_t word;       // aligned to 8 bytes
    logic [7:0] mask;
  } amo_ask_t;
  typedef struct packed {
    logic valid;
    line_t line;
  } prefetch_ask_t;
  // Which of those with one place has its port.
  typedef struct packed {
    logic device;
    logic table_;
    logic drain;
    logic amo;
    logic prefetch;
  } slot_takes_t;
  typedef struct packed {
    slot_e slot;
    word_t addr;
    load_info_t info;  // of a load
    logic exception;   // of a first try, as device
    cause_t cause;
    logic device;
  } m1_t;

  // Bytes on their way into the cache.
  typedef struct packed {
    logic valid;
    logic urgent;    // goes before loads
    logic lacks;     // has found no MSHR
    word_t addr;
    word_t word;     // aligned to 8 bytes
    logic [7:0] mask;
  } drain_t;

  // How it went, a cycle later.
  typedef struct packed {
    logic hit;       // written
    logic miss;
    logic join_;     // with miss: the line is on its way
    logic full;      // with miss: no MSHR is free
  } drain_end_t;

  function automatic logic [1:0] access_size(input op_e op);
    case (op)
      OP_LB, OP_LBU, OP_SB, OP_PREFETCH_I, OP_PREFETCH_R, OP_PREFETCH_W: access_size = 2'd0;
      OP_LH, OP_LHU, OP_SH: access_size = 2'd1;
      OP_LW, OP_LWU, OP_SW, OP_FLW, OP_FSW, OP_LR_W, OP_SC_W, OP_AMOADD_W, OP_AMOSWAP_W, OP_AMOXOR_W, OP_AMOOR_W,
      OP_AMOAND_W, OP_AMOMIN_W, OP_AMOMAX_W, OP_AMOMINU_W, OP_AMOMAXU_W: access_size = 2'd2;
      default: access_size = 2'd3;
    endcase
  endfunction

  // The virtual address of a load, from its physical one.
  /* verilator lint_off UNUSEDSIGNAL */  // one struct for all of a load
  function automatic word_t virtual_address(input word_t addr, input load_info_t info);
  /* verilator lint_on UNUSEDSIGNAL */
    virtual_address = info.mapped ? {{25{info.vpn[26]}}, info.vpn, addr[11:0]} : addr;
  endfunction

  function automatic logic is_hint(input op_e op);
    is_hint = op == OP_PREFETCH_I || op == OP_PREFETCH_R || op == OP_PREFETCH_W;
  endfunction

  function automatic logic zero_extends(input op_e op);
    zero_extends = op == OP_LBU || op == OP_LHU || op == OP_LWU;
  endfunction

  // Bytes of its 8-byte word that an aligned access touches.
  function automatic logic [7:0] byte_mask(input logic [1:0] size, input logic [2:0] offset);
    case (size)
      2'd0: byte_mask = 8'h01 << offset;
      2'd1: byte_mask = 8'h03 << offset;
      2'd2: byte_mask = 8'h0f << offset;
      default: byte_mask = 8'hff;
    endcase
  endfunction

  // Register value of a load from its 8-byte word.
  function automatic word_t load_value(input word_t word, input logic [2:0] offset, input logic [1:0] size,
                                       input logic uns, input logic box);
    word_t low;
    low = word >> {offset, 3'd0};
    case (size)
      2'd0: load_value = {{56{low[7] && !uns}}, low[7:0]};
      2'd1: load_value = {{48{low[15] && !uns}}, low[15:0]};
      2'd2: load_value = {{32{box || (low[31] && !uns)}}, low[31:0]};
      default: load_value = low;
    endcase
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */  // one struct for all units
  function automatic logic killed(input squash_t squash, input rob_idx_t rob);
  /* verilator lint_on UNUSEDSIGNAL */
    killed = squash.valid && (squash.all || rob_older(squash.rob, rob));
  endfunction

  // ---- circular queues ----
  function automatic lq_idx_t lq_add(input lq_idx_t a, input int unsigned n);
    lq_add.wrap = a.wrap ^ ring_wraps(32'(a.idx), n, LqEntries);
    lq_add.idx = (LqBits - 1)'(ring_sum(32'(a.idx), n, LqEntries));
  endfunction

  function automatic sq_idx_t sq_add(input sq_idx_t a, input int unsigned n);
    sq_add.wrap = a.wrap ^ ring_wraps(32'(a.idx), n, SqEntries);
    sq_add.idx = (SqBits - 1)'(ring_sum(32'(a.idx), n, SqEntries));
  endfunction

  // Entries from `from` up to and without `to`; the wrap bits distinguish full from empty.
  function automatic lq_vec_t lq_range(input lq_idx_t from, input lq_idx_t to);
    lq_vec_t below_from, below_to;
    below_from = ~({LqEntries{1'b1}} << from.idx);
    below_to = ~({LqEntries{1'b1}} << to.idx);
    lq_range = (from.wrap == to.wrap) ? below_to & ~below_from : below_to | ~below_from;
  endfunction

  function automatic sq_vec_t sq_range(input sq_idx_t from, input sq_idx_t to);
    sq_vec_t below_from, below_to;
    below_from = ~({SqEntries{1'b1}} << from.idx);
    below_to = ~({SqEntries{1'b1}} << to.idx);
    sq_range = (from.wrap == to.wrap) ? below_to & ~below_from : below_to | ~below_from;
  endfunction

  function automatic int unsigned lq_used(input lq_idx_t head, input lq_idx_t tail);
    lq_used = ring_used(head.wrap == tail.wrap, 32'(head.idx), 32'(tail.idx), LqEntries);
  endfunction

  function automatic int unsigned sq_used(input sq_idx_t head, input sq_idx_t tail);
    sq_used = ring_used(head.wrap == tail.wrap, 32'(head.idx), 32'(tail.idx), SqEntries);
  endfunction

  // The oldest of a non-empty set: the lowest index from the head on, else the lowest.
  /* verilator lint_off UNUSEDSIGNAL */  // the wrap bit has no say
  function automatic logic [LqBits-2:0] lq_oldest(input lq_vec_t set, input lq_idx_t head);
  /* verilator lint_on UNUSEDSIGNAL */
    lq_vec_t from_head;
    from_head = set & ({LqEntries{1'b1}} << head.idx);
    if (from_head == '0) from_head = set;
    lq_oldest = '0;
    for (int i = LqEntries - 1; i >= 0; i--) if (from_head[i]) lq_oldest = (LqBits - 1)'(i);
  endfunction
endpackage
