// The map of the execution ports: how many of each kind there are, and what leaves them in a cycle for registers,
// queues and ROB.
package port_pkg;
  import config_pkg::*;
  import core_pkg::*;

  localparam bit HasFp = Fp != 0;
  localparam int unsigned FpLanes = HasFp ? FpPorts : 0;
  localparam int unsigned FpArrays = HasFp ? FpPorts : 1;  // size of arrays that must not be empty

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
  // Completions in a cycle: ALUs, mul, div; the serial instruction; FP results for f and for x registers; loads;
  // stores.
  localparam int unsigned IntDones = IntPorts + 2;
  localparam int unsigned PlainDones = IntDones + 1 + 2 * FpLanes;  // integer, serial, FP; the others are memory's
  localparam int unsigned Dones = PlainDones + 2 * MemPorts;
  localparam int unsigned BranchPorts = IntPorts >= 4 ? 2 : 1;  // integer ports 0 .. BranchPorts-1 resolve branches
  localparam int unsigned MulPort = IntPorts >= 2 ? 1 : 0;
  localparam int unsigned DivPort = IntPorts - 1;

  // A register whose readers may ask to issue.
  typedef struct packed {
    logic valid;
    preg_t tag;
  } wake_t;

  // A result on its way into the register file.
  typedef struct packed {
    logic valid;
    preg_t pd;
    word_t data;
  } result_t;

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
endpackage
