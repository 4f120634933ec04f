// EX of one port, first half: what the instruction is, its virtual address, alignment. Combinational.
//
// An instruction that a squash kills in this cycle is none (alive_o). LR reads, AMO and SC write.
module lsu_agu
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import lsu_pkg::*;
(
  input  squash_t     squash_i,
  input  mem_uop_t    uop_i,
  input  logic        translates_i,
  output logic        alive_o,
  output logic        reads_o,     // needs permission to read, else to write
  output logic        misaligned_o,
  output word_t       addr_o,
  output load_info_t  info_o       // of a load; its size is good for all
);
  logic [1:0] size;

  assign alive_o = uop_i.valid && !killed(squash_i, uop_i.rob);
  assign reads_o = uop_i.unit == UNIT_LOAD || uop_i.op == OP_LR_W || uop_i.op == OP_LR_D;
  assign size = access_size(uop_i.op);
  assign addr_o = uop_i.base + {{52{uop_i.imm[11]}}, uop_i.imm};
  assign info_o = '{
    rob: uop_i.rob,
    lq: uop_i.lq,
    sq: uop_i.sq,
    pd: uop_i.pd,
    pd_valid: uop_i.pd_valid,
    size: size,
    uns: zero_extends(uop_i.op),
    box: uop_i.op == OP_FLW,
    hint: is_hint(uop_i.op),
    owns: uop_i.op == OP_PREFETCH_W,
    mapped: translates_i && canonical(addr_o),
    vpn: addr_o[38:12]
  };

  always_comb
    case (size)
      2'd0: misaligned_o = 1'b0;
      2'd1: misaligned_o = addr_o[0];
      2'd2: misaligned_o = addr_o[1:0] != 2'd0;
      default: misaligned_o = addr_o[2:0] != 3'd0;
    endcase
endmodule
