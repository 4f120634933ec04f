// The retire record of the core for observers: names and meaning of the RISC-V Formal Interface (RVFI) where they fit.
//
// Not as there: several instructions a cycle, in age order; addresses of memory are physical; the data that a load has
// read are its rd_wdata alone; a trap is a record of its own, of the instruction that does not retire, and an interrupt
// is reported with it.
package rvfi_pkg;
  import config_pkg::*;
  import core_pkg::*;

  typedef struct packed {
    logic valid;             // it retires; the rest counts only then
    logic [63:0] order;      // instructions that have retired before it
    logic [31:0] insn;       // as fetched; 16-bit forms zero-extended
    logic [1:0] mode;        // privilege
    word_t pc_rdata;
    logic pc_known;          // of pc_wdata: else the next instruction has not been fetched yet
    word_t pc_wdata;         // of the next one
    logic rd_valid;
    logic rd_fp;             // a floating-point register
    logic [4:0] rd_addr;
    word_t rd_wdata;
    word_t mem_addr;         // of the lowest byte
    logic [7:0] mem_rmask;   // bytes from there on
    logic [7:0] mem_wmask;
    word_t mem_wdata;        // low bytes
  } rvfi_insn_t;

  typedef struct packed {
    logic valid;
    logic intr;              // an interrupt, taken before that instruction
    cause_t cause;
    word_t tval;
    word_t pc_rdata;         // of the instruction: what mepc or sepc gets
    word_t pc_wdata;         // the handler
  } rvfi_trap_t;

  // Of the one instruction that retires; wdata: what the CSR holds then.
  typedef struct packed {
    logic valid;
    logic [11:0] addr;
    word_t wdata;
  } rvfi_csr_t;

  // The serial instruction in flight: at most one.
  typedef struct packed {
    logic busy;
    logic amo;               // it is an AMO, LR or SC
    rvfi_csr_t csr;          // as it leaves
  } serial_state_t;

  typedef struct packed {
    rvfi_insn_t [CoreWidth-1:0] insn;
    rvfi_trap_t trap;
    rvfi_csr_t csr;
  } rvfi_t;
endpackage
