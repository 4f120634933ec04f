// A serial instruction, alone in the core: how it comes to serial_unit.
package serial_pkg;
  import core_pkg::*;
  import instructions_pkg::*;

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
endpackage
