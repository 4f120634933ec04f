// What the CSRs say to the pipeline, and what instructions and the head of the ROB do to them.
package csr_effect_pkg;
  import core_pkg::*;
  import fp_pkg::*;

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

  // What may interrupt the oldest instruction.
  typedef struct packed {
    logic valid;
    cause_t cause;
    logic locked;          // not the serial instruction in flight
  } irq_t;

  // Where fetch goes on after a trap, and after a serial instruction that flushes.
  typedef struct packed {
    word_t trap_pc;        // handler
    logic returns;         // mret or sret: to return_pc, else to the next instruction
    word_t return_pc;
    logic fence_i;         // with an empty instruction cache
  } resume_t;

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
endpackage
