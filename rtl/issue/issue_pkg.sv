// Payloads of the issue queues, and what their schedulers know of an entry.
package issue_pkg;
  import config_pkg::*;
  import core_pkg::*;
  import instructions_pkg::*;
  import fp_pkg::*;

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

  // What an issue queue's scheduler knows of an instruction, but for the ports that can take it.
  typedef struct packed {
    rob_idx_t rob;
    preg_t pd;
    preg_t ps1;
    preg_t ps2;
    preg_t ps3;
    logic ready1;          // its value is available
    logic ready2;
    logic ready3;
    logic fast;            // has a destination and takes one cycle
    logic gated;           // asks only while the gate is open
    logic split;           // without its second source it issues in two parts, one before it and one with it
    logic barrier;         // those with waits wait for all older ones of these to issue, be it a first part
    logic waits;
  } schedule_t;
endpackage
