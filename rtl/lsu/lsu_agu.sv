// EX of one port: what the instruction is, its address, and the checks. Combinational.
//
// The misaligned check comes before the access check; a store, AMO or SC reports the store causes, LR the load ones.
// An instruction that a squash kills in this cycle is none (load_o, store_o, amo_o).
module lsu_agu
  import config_pkg::*;
  import instructions_pkg::*;
  import memory_map_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  squash_t     squash_i,
  /* verilator lint_off UNUSEDSIGNAL */  // its data goes another way
  input  mem_uop_t    uop_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic        load_o,
  output logic        store_o,
  output logic        amo_o,       // AMO, LR or SC
  output word_t       addr_o,
  output load_info_t  info_o,      // of a load; its size is good for all
  output logic        device_o,    // a device's address
  output logic        exception_o,
  output cause_t      cause_o
);
  logic alive, reads, misaligned, allowed;
  logic [1:0] size;

  assign alive = uop_i.valid && !killed(squash_i, uop_i.rob);
  assign load_o = alive && uop_i.unit == UNIT_LOAD;
  assign store_o = alive && uop_i.unit == UNIT_STORE;
  assign amo_o = alive && uop_i.unit == UNIT_AMO;
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
    hint: is_hint(uop_i.op)
  };

  always_comb begin
    reads = uop_i.unit == UNIT_LOAD || uop_i.op == OP_LR_W || uop_i.op == OP_LR_D;
    case (size)
      2'd0: misaligned = 1'b0;
      2'd1: misaligned = addr_o[0];
      2'd2: misaligned = addr_o[1:0] != 2'd0;
      default: misaligned = addr_o[2:0] != 3'd0;
    endcase
    // AMO, LR and SC work on cached memory only.
    device_o = is_device(addr_o);
    allowed = reads ? readable(addr_o) : writable(addr_o);
    if (uop_i.unit == UNIT_AMO && device_o) allowed = 1'b0;

    exception_o = misaligned || !allowed;
    if (misaligned) cause_o = reads ? CauseLoadMisaligned : CauseStoreMisaligned;
    else cause_o = reads ? CauseLoadAccess : CauseStoreAccess;
  end
endmodule
