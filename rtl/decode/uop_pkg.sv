// Types that only the back end knows: decoded instructions, issue payloads, completions.
package uop_pkg;
  import config_pkg::*;
  import ring_pkg::*;
  import events_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;

  localparam int unsigned IntSlotBits = $clog2(IntIqEntries);
  localparam int unsigned MemSlotBits = $clog2(MemIqEntries);
  localparam bit HasFp = Fp != 0;
  localparam int unsigned FpLanes = HasFp ? FpPorts : 0;
  localparam int unsigned FpArrays = HasFp ? FpPorts : 1;  // size of arrays that must not be empty
  localparam int unsigned FpSlotBits = $clog2(FpIqEntries);

  // One space of physical registers: integer ones first, then floating-point ones. Architectural: x0..x31, f0..f31.
  localparam int unsigned Pregs = IntPregs + (HasFp ? FpPregs : 0);
  localparam int unsigned ArchRegs = HasFp ? 64 : 32;
  localparam int unsigned ArchBits = HasFp ? 6 : 5;
  typedef logic [ArchBits-1:0] areg_t;
  function automatic logic is_f(input areg_t r);
    is_f = HasFp && r[ArchBits-1];
  endfunction

  // Tags that may become ready in a cycle: ALUs, mul, div; loads; FP results for f and for x registers, FP division.
  localparam int unsigned IntWakes = IntPorts + 2;
  localparam int unsigned FpWakes = HasFp ? 2 * FpLanes + 1 : 0;
  localparam int unsigned Wakes = IntWakes + MemPorts + FpWakes;
  // Write ports of the register file: ALUs, mul/div; loads; FP results for f and for x registers.
  localparam int unsigned IntWriters = IntPorts + 1;
  localparam int unsigned Writers = IntWriters + MemPorts + 2 * FpLanes;
  // Results that their readers were woken for in advance are forwarded to the register read stage: all but the loads'.
  function automatic logic forwards(input int unsigned writer);
    forwards = writer < IntWriters || writer >= IntWriters + MemPorts;
  endfunction
  localparam int unsigned Readers = 2 * (IntPorts + MemPorts) + 3 * FpLanes;
  // Completions in a cycle: ALUs, mul, div; the serial instruction; FP results for f and for x registers; loads, stores.
  localparam int unsigned IntDones = IntPorts + 2;
  localparam int unsigned PlainDones = IntDones + 1 + 2 * FpLanes;  // integer, serial, FP; the others are memory's
  localparam int unsigned Dones = PlainDones + 2 * MemPorts;
  localparam int unsigned BranchPorts = IntPorts >= 4 ? 2 : 1;  // integer ports 0 .. BranchPorts-1 resolve branches
  localparam int unsigned MulPort = IntPorts >= 2 ? 1 : 0;
  localparam int unsigned DivPort = IntPorts - 1;

  // Position in a ring of free physical registers (there is one for each kind).
  localparam int unsigned IntFree = IntPregs - 32;
  localparam int unsigned FpFree = HasFp ? FpPregs - 32 : 1;
  localparam int unsigned FreeEntries = IntFree > FpFree ? IntFree : FpFree;
  localparam int unsigned FreeBits = FreeEntries > 1 ? $clog2(FreeEntries) : 1;
  typedef struct packed {
    logic wrap;
    logic [FreeBits-1:0] idx;
  } free_ptr_t;

  // What decode says about one instruction; pc, bits and immediate travel beside it.
  typedef struct packed {
    op_e op;
    unit_e unit;
    logic rd_valid;        // writes rd, and rd is not x0
    areg_t rd;
    areg_t rs1;            // x0 where there is none
    areg_t rs2;
    areg_t rs3;
    fp_op_e fp_op;         // UNIT_FP
    fp_format_e fp_format;
    logic [2:0] fp_rm;
    logic use_pc;          // first operand is the pc
    logic use_imm;         // second operand is the immediate
    logic rvc;
    logic pred_taken;
    logic serial;          // dispatches alone into an empty ROB
    logic flush;           // flushes the pipeline when it commits
    logic fault;           // fetch fault
    logic dr_l1;
    logic dr_tlb;
    ftq_idx_t ftq;
    logic dyn_rm;          // rounds by frm: illegal while frm holds no mode
  } decoded_t;

  // What cannot be executed: it takes no operands and raises its exception alone.
  function automatic decoded_t as_illegal(input decoded_t uop);
    as_illegal = uop;
    as_illegal.op = OP_ILLEGAL;
    as_illegal.unit = UNIT_NONE;
    as_illegal.rd_valid = 1'b0;
    as_illegal.rs1 = '0;
    as_illegal.rs2 = '0;
    as_illegal.rs3 = '0;
    as_illegal.serial = 1'b1;
    as_illegal.flush = 1'b0;
  endfunction

  // Which lanes want an entry of a queue, or find none: one bit a lane for each queue.
  typedef struct packed {
    lanes_t ints;          // issue queues
    lanes_t mems;
    lanes_t fps;
    lanes_t loads;         // load queue
    lanes_t stores;        // store queue
  } room_t;

  // Room in the ROB.
  typedef struct packed {
    count_t free;          // entries, CoreWidth where there are more
    logic empty;           // nothing is in flight
    rob_idx_t [CoreWidth-1:0] place;  // where each lane goes
  } rob_room_t;

  // Where a lane goes in the ROB and in the load and store queues; for a lane that takes no entry there, the queue's tail.
  typedef struct packed {
    rob_idx_t rob;
    lq_idx_t lq;
    sq_idx_t sq;
  } place_t;

  // What leaves the decode registers: the first lanes, in program order.
  typedef struct packed {
    lanes_t fire;
    count_t count;
  } dispatch_t;

  // A serial instruction at its dispatch.
  typedef struct packed {
    logic valid;
    op_e op;
    unit_e unit;
    logic fault;           // cannot be fetched
    logic [31:0] insn;
    word_t pc;
    rob_idx_t rob;
  } serial_start_t;

  // EX of a serial instruction that comes by the issue queue: CSR access, sfence.vma.
  typedef struct packed {
    logic valid;
    word_t rs1;
    word_t rs2;
  } serial_operands_t;

  // Who of the issue queue's completes in serial_unit: of the fences, sfence.vma alone comes there.
  function automatic logic in_serial_unit(input unit_e unit);
    in_serial_unit = unit == UNIT_CSR || unit == UNIT_FENCE;
  endfunction

  // Who executes a serial instruction, and what mstatus refuses S-mode.
  typedef struct packed {
    priv_e priv;
    logic tvm;             // sfence.vma, satp
    logic tw;              // wfi
    logic tsr;             // sret
  } serial_mode_t;

  // What the serial instruction in flight does as it commits.
  typedef struct packed {
    logic mret;
    logic sret;
    logic fence_i;
  } serial_effect_t;

  // Which sources of each lane have their value.
  typedef struct packed {
    lanes_t first;
    lanes_t second;
    lanes_t third;
  } ready_t;

  // Integer issue queue to execution; pc and immediate travel beside it.
  typedef struct packed {
    op_e op;
    unit_e unit;
    rob_idx_t rob;
    preg_t pd;
    logic pd_valid;
    preg_t ps1;
    preg_t ps2;
    logic use_pc;
    logic use_imm;
    logic rvc;
    logic pred_taken;
    ftq_idx_t ftq;
    snapshot_t snapshot;
  } int_uop_t;

  typedef struct packed {
    op_e op;
    unit_e unit;
    rob_idx_t rob;
    lq_idx_t lq;
    sq_idx_t sq;
    preg_t pd;
    logic pd_valid;
    preg_t ps1;
    preg_t ps2;
  } mem_entry_t;

  // What an issue queue's scheduler knows of an instruction, but for the ports that can take it.
  typedef struct packed {
    rob_idx_t rob;
    preg_t pd;
    preg_t ps1;
    preg_t ps2;
    preg_t ps3;
    logic ready1;          // its value is there
    logic ready2;
    logic ready3;
    logic fast;            // has a destination and takes one cycle
    logic gated;           // asks only while the gate is open
    logic split;           // without its second source it issues in two parts, one before it and one with it
    logic barrier;         // those with waits wait for all older ones of these to issue, be it a first part
    logic waits;
  } schedule_t;

  // A result on its way into the register file.
  typedef struct packed {
    logic valid;
    preg_t pd;
    word_t data;
  } result_t;

  // A register whose readers may ask to issue.
  typedef struct packed {
    logic valid;
    preg_t tag;
  } wake_t;

  // A branch or jump as EX found it.
  typedef struct packed {
    logic valid;           // resolved (right or wrong)
    logic mispredict;
    logic taken;
    rob_idx_t rob;
    snapshot_t snapshot;
    ftq_idx_t ftq;
    word_t target;         // where to go on
    logic [5:0] offset;    // of its last parcel in the fetch block
  } resolve_t;

  // Floating-point issue queue to execution.
  typedef struct packed {
    fp_op_e op;
    fp_format_e format;
    logic [2:0] rm;        // as in the instruction
    rob_idx_t rob;
    preg_t pd;
    logic pd_valid;
    preg_t ps1;
    preg_t ps2;
    preg_t ps3;
  } fp_uop_t;

  // What a ROB entry keeps until it commits.
  typedef struct packed {
    areg_t rd;
    preg_t pd;
    preg_t old_pd;         // what rd was mapped to before: free once this commits
    logic pd_valid;
    logic is_load;
    logic is_store;
    logic is_fp;           // floating-point arithmetic: raises flags
    logic flush;
    logic rvc;
    ftq_idx_t ftq;
  } rob_info_t;

  // What a lane brings into the ROB; pc and bits travel beside it.
  typedef struct packed {
    rob_info_t info;
    psv_t psv;
  } rob_entry_t;

  // One of the oldest in the ROB, as its bank shows it; the rest counts only with valid.
  typedef struct packed {
    logic valid;
    logic done;
    logic mispredict;      // with done
    rob_info_t info;
    psv_t psv;             // what it has met so far
    logic [31:0] insn;
    word_t pc;
  } window_t;

  // What rename and the flags need to know of an instruction that commits.
  typedef struct packed {
    logic pd_valid;        // has a destination
    areg_t rd;
    preg_t pd;
    preg_t old_pd;
    logic is_fp;
  } retire_t;

  // The head of the ROB, and what leaves it in this cycle.
  typedef struct packed {
    rob_idx_t head;        // the oldest instruction
    logic any;             // something leaves
    count_t count;
    lsu_commit_t memory;   // of it, what the load/store unit must know
    ftq_idx_t ftq;         // packet of the youngest that leaves, else of the oldest instruction
    logic flush;           // the last of them flushes
  } commit_t;

  // The oldest instruction is raised: exception, interrupt or replay. The rest counts only with valid.
  typedef struct packed {
    logic valid;
    logic irq;             // an interrupt
    logic replay;          // fetched again: no trap
    cause_t cause;
    word_t tval;
    word_t epc;            // its address
  } raise_t;

  // What may interrupt the oldest instruction.
  typedef struct packed {
    logic valid;
    cause_t cause;
    logic locked;          // not the serial instruction that is there
  } irq_t;

  // Where fetch goes on after a trap, and after a serial instruction that flushes.
  typedef struct packed {
    word_t trap_pc;        // handler
    logic returns;         // mret or sret: to return_pc, else behind the instruction
    word_t return_pc;
    logic fence_i;         // with an empty instruction cache
  } resume_t;

  // What the head of the ROB orders: everything in flight dies, and fetch goes on at pc.
  typedef struct packed {
    logic valid;
    rob_idx_t rob;         // the head
    word_t pc;
    ftq_idx_t ftq;
    logic fence_i;
  } head_order_t;

  // What observers see of the front end, and of the mode.
  typedef struct packed {
    logic fetch_valid;
    word_t fetch_pc;
    priv_e priv;
    logic [SpaceBits-1:0] space;
  } seen_t;

  // What floating-point instructions need to know of mstatus and fcsr.
  typedef struct packed {
    logic off;             // mstatus.FS is Off
    logic [2:0] frm;
  } fp_mode_t;

  // What committing floating-point instructions leave in fcsr and mstatus.FS.
  typedef struct packed {
    fp_flags_t flags;      // accrue
    logic dirty;           // the state changes
  } fp_effect_t;

  // An exception on its way to the ROB. replay: the instruction is fetched again instead.
  typedef struct packed {
    logic valid;
    rob_idx_t rob;
    logic replay;
    cause_t cause;
    word_t tval;
  } exception_t;

  // A page fault of the oldest instruction is looked into (ad_update).
  typedef struct packed {
    logic hold;      // not to be raised yet
    logic again;     // the instruction begins again instead
    logic denied;    // it is an access fault
    logic locked;    // no interrupt now
  } fault_check_t;

  function automatic rob_idx_t rob_add(input rob_idx_t a, input int unsigned n);
    rob_add.wrap = a.wrap ^ ring_wraps(32'(a.idx), n, RobEntries);
    rob_add.idx = (RobIdxBits - 1)'(ring_sum(32'(a.idx), n, RobEntries));
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */  // one struct for all rooms
  function automatic logic rob_killed(input squash_t squash, input rob_idx_t rob);
  /* verilator lint_on UNUSEDSIGNAL */
    rob_killed = squash.valid && (squash.all || rob_older(squash.rob, rob));
  endfunction
endpackage
