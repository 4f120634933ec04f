// Resolves a conditional branch or jump: where it goes on, and whether fetch went there. Combinational.
//
// A conditional branch was fetched right if its direction was predicted (its target is exact); a jalr if the packet
// after its own was fetched from its target. A direct jump is always fetched right and is not looked at here.
module branch_unit
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  input  logic valid_i,
  input  int_uop_t uop_i,
  input  word_t a_i,                  // rs1
  input  word_t b_i,                  // rs2
  input  word_t pc_i,
  input  logic [31:0] imm_i,
  input  word_t next_pc_i,            // where fetch went after this instruction's packet
  output resolve_t resolve_o
);
  localparam int unsigned OffsetBits = $clog2(2 * FetchWidth);
  logic is_jalr, is_branch, taken;
  word_t imm, target, follow, jalr_target;
  logic [OffsetBits-1:0] last_parcel;

  assign is_jalr = uop_i.unit == UNIT_JALR;
  assign is_branch = uop_i.unit == UNIT_BRANCH;
  assign imm = {{32{imm_i[31]}}, imm_i};
  assign target = pc_i + imm;
  assign follow = pc_i + (uop_i.rvc ? 64'd2 : 64'd4);
  assign jalr_target = (a_i + imm) & ~64'd1;
  assign last_parcel = follow[OffsetBits-1:0] - OffsetBits'(2);

  always_comb
    case (uop_i.op)
      OP_BEQ: taken = a_i == b_i;
      OP_BNE: taken = a_i != b_i;
      OP_BLT: taken = $signed(a_i) < $signed(b_i);
      OP_BGE: taken = $signed(a_i) >= $signed(b_i);
      OP_BLTU: taken = a_i < b_i;
      OP_BGEU: taken = a_i >= b_i;
      default: taken = 1'b1;
    endcase

  always_comb begin
    resolve_o.valid = valid_i && (is_branch || is_jalr);
    resolve_o.mispredict = resolve_o.valid &&
        (is_jalr ? (!uop_i.pred_taken || jalr_target != next_pc_i) : taken != uop_i.pred_taken);
    resolve_o.taken = taken;
    resolve_o.rob = uop_i.rob;
    resolve_o.snapshot = uop_i.snapshot;
    resolve_o.ftq = uop_i.ftq;
    resolve_o.target = is_jalr ? jalr_target : taken ? target : follow;
    resolve_o.offset = 6'(last_parcel);
  end
endmodule
