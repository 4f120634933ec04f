// A decoded instruction, and the names of its registers.
package decode_pkg;
  import core_pkg::*;
  import instructions_pkg::*;
  import fp_pkg::*;
  import port_pkg::*;

  // Architectural registers: x0..x31, f0..f31.
  localparam int unsigned ArchRegs = HasFp ? 64 : 32;
  localparam int unsigned ArchBits = HasFp ? 6 : 5;
  typedef logic [ArchBits-1:0] areg_t;
  function automatic logic is_f(input areg_t r);
    is_f = HasFp && r[ArchBits-1];
  endfunction

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
endpackage
