// Decodes one instruction. Combinational.
//
// Faulting and illegal instructions are serial, so that they dispatch alone and their exception is raised without a
// way through the issue queues. Whether a CSR may be accessed is found out when it executes.
module decoder
  import instructions_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import decode_pkg::*;
(
  input  fetch_insn_t insn_i,
  input  logic fs_off_i,       // mstatus.FS is Off: floating-point instructions are illegal
  output decoded_t uop_o,
  output logic [31:0] imm_o    // sign-extended
);
  logic [31:0] expanded, insn;
  lookup_t row;

  rvc_expand u_rvc_expand (.insn_i(insn_i.insn[15:0]), .insn_o(expanded));
  assign insn = insn_i.rvc ? expanded : insn_i.insn;
  assign row = lookup(insn);

  // ---- operands ----
  logic reads_rs1, reads_rs2, writes_rd, csr_writes, illegal;
  always_comb begin
    reads_rs1 = 1'b0;
    reads_rs2 = 1'b0;
    writes_rd = 1'b0;
    imm_o = '0;
    case (row.format)
      FORMAT_R, FORMAT_AMO, FORMAT_FR, FORMAT_FR4, FORMAT_FRX: begin
        reads_rs1 = 1'b1;
        reads_rs2 = 1'b1;
        writes_rd = 1'b1;
      end
      FORMAT_LR, FORMAT_F1, FORMAT_F1X, FORMAT_X1F: begin
        reads_rs1 = 1'b1;
        writes_rd = 1'b1;
      end
      FORMAT_I, FORMAT_FI: begin
        reads_rs1 = 1'b1;
        writes_rd = 1'b1;
        imm_o = {{20{insn[31]}}, insn[31:20]};
      end
      FORMAT_SH5, FORMAT_SH6: begin
        reads_rs1 = 1'b1;
        writes_rd = 1'b1;
        imm_o = {26'd0, insn[25:20]};
      end
      FORMAT_S, FORMAT_FS: begin
        reads_rs1 = 1'b1;
        reads_rs2 = 1'b1;
        imm_o = {{20{insn[31]}}, insn[31:25], insn[11:7]};
      end
      FORMAT_RR: begin
        reads_rs1 = 1'b1;
        reads_rs2 = 1'b1;
      end
      FORMAT_P: begin
        reads_rs1 = 1'b1;
        imm_o = {{20{insn[31]}}, insn[31:25], 5'd0};
      end
      FORMAT_B: begin
        reads_rs1 = 1'b1;
        reads_rs2 = 1'b1;
        imm_o = {{19{insn[31]}}, insn[31], insn[7], insn[30:25], insn[11:8], 1'b0};
      end
      FORMAT_U: begin
        writes_rd = 1'b1;
        imm_o = {insn[31:12], 12'd0};
      end
      FORMAT_J: begin
        writes_rd = 1'b1;
        imm_o = {{11{insn[31]}}, insn[31], insn[19:12], insn[20], insn[30:21], 1'b0};
      end
      FORMAT_CSR: begin
        reads_rs1 = 1'b1;
        writes_rd = 1'b1;
      end
      FORMAT_CSRI: begin
        writes_rd = 1'b1;
        imm_o = {27'd0, insn[19:15]};
      end
      default: ;  // FENCE, N: no operands
    endcase
  end

  // ---- floating point ----
  localparam logic [2:0] Dynamic = 3'd7, LastMode = 3'd4;
  logic fp, bad_rm;
  logic [3:0] f;  // operands that are f registers: rs3, rs2, rs1, rd
  fp_op_e fp_op;
  fp_format_e fp_format;
  assign f = fp_operands(row.format);
  assign fp = f != '0;
  assign bad_rm = rounds(row.op) && insn[14:12] > LastMode && insn[14:12] != Dynamic;
  fp_decode u_fp_decode (.insn_i(insn), .op_o(fp_op), .format_o(fp_format));

  function automatic areg_t arch(input logic is_f_register, input logic [4:0] number);
    arch = ArchBits'({is_f_register, number});
  endfunction

  assign illegal = insn_i.fault || row.op == OP_ILLEGAL || (fp && (fs_off_i || bad_rm));
  // Set and clear with x0 or a zero immediate do not write (unprivileged manual, Zicsr).
  assign csr_writes = row.unit == UNIT_CSR && (row.op == OP_CSRRW || row.op == OP_CSRRWI || insn[19:15] != '0);

  always_comb begin
    uop_o.op = row.op;
    uop_o.unit = row.unit;
    uop_o.rd_valid = writes_rd && (insn[11:7] != '0 || f[0]);
    uop_o.rd = arch(f[0], insn[11:7]);
    uop_o.rs1 = reads_rs1 ? arch(f[1], insn[19:15]) : '0;
    uop_o.rs2 = reads_rs2 ? arch(f[2], insn[24:20]) : '0;
    uop_o.rs3 = f[3] ? arch(1'b1, insn[31:27]) : '0;
    uop_o.fp_op = fp_op;
    uop_o.fp_format = fp_format;
    uop_o.fp_rm = insn[14:12];
    uop_o.use_pc = row.op == OP_AUIPC;
    uop_o.use_imm = !(reads_rs2 || row.format == FORMAT_LR);
    uop_o.rvc = insn_i.rvc;
    uop_o.pred_taken = insn_i.pred_taken;
    uop_o.serial = row.serial;
    uop_o.flush = row.flush || (csr_writes && csr_flushes(insn[31:20]));
    uop_o.fault = insn_i.fault;
    uop_o.dr_l1 = insn_i.dr_l1;
    uop_o.dr_tlb = insn_i.dr_tlb;
    uop_o.ftq = insn_i.ftq;
    uop_o.dyn_rm = rounds(row.op) && insn[14:12] == Dynamic;
    if (illegal) uop_o = as_illegal(uop_o);
  end
endmodule
