// 16-bit to 32-bit forms (unprivileged manual, chapter C). Combinational.
//
// What is reserved, or belongs to an extension the core lacks, comes out as zero, which no instruction matches.
// Hints come out as the writes to x0 that they are.
module rvc_expand (
  input  logic [15:0] insn_i,
  output logic [31:0] insn_o
);
  localparam logic [6:0] OpLoad = 7'h03, OpImm = 7'h13, OpImm32 = 7'h1b, OpStore = 7'h23, OpReg = 7'h33, OpLui = 7'h37,
                         OpReg32 = 7'h3b, OpLoadFp = 7'h07, OpStoreFp = 7'h27, OpBranch = 7'h63, OpJalr = 7'h67,
                         OpJal = 7'h6f;

  logic [4:0] rd, rs2, rdp, rs1p, rs2p;
  assign rd = insn_i[11:7];
  assign rs2 = insn_i[6:2];
  assign rdp = {2'b01, insn_i[4:2]};
  assign rs2p = rdp;
  assign rs1p = {2'b01, insn_i[9:7]};

  // Immediates, named after the manual's formats.
  logic [11:0] imm6, addi4spn, addi16sp, lw, ld, lwsp, ldsp, swsp, sdsp;
  logic [20:1] jump;
  logic [12:1] branch;
  assign imm6 = {{7{insn_i[12]}}, insn_i[6:2]};
  assign addi4spn = {2'b00, insn_i[10:7], insn_i[12:11], insn_i[5], insn_i[6], 2'b00};
  assign addi16sp = {{3{insn_i[12]}}, insn_i[4:3], insn_i[5], insn_i[2], insn_i[6], 4'b0000};
  assign lw = {5'b00000, insn_i[5], insn_i[12:10], insn_i[6], 2'b00};
  assign ld = {4'b0000, insn_i[6:5], insn_i[12:10], 3'b000};
  assign lwsp = {4'b0000, insn_i[3:2], insn_i[12], insn_i[6:4], 2'b00};
  assign ldsp = {3'b000, insn_i[4:2], insn_i[12], insn_i[6:5], 3'b000};
  assign swsp = {4'b0000, insn_i[8:7], insn_i[12:9], 2'b00};
  assign sdsp = {3'b000, insn_i[9:7], insn_i[12:10], 3'b000};
  assign jump = {{10{insn_i[12]}}, insn_i[8], insn_i[10:9], insn_i[6], insn_i[7], insn_i[2], insn_i[11], insn_i[5:3]};
  assign branch = {{5{insn_i[12]}}, insn_i[6:5], insn_i[2], insn_i[11:10], insn_i[4:3]};

  function automatic logic [31:0] r_type(input logic [6:0] f7, input logic [4:0] source2, input logic [4:0] source1,
                                         input logic [2:0] f3, input logic [4:0] dest, input logic [6:0] op);
    r_type = {f7, source2, source1, f3, dest, op};
  endfunction
  function automatic logic [31:0] i_type(input logic [11:0] imm, input logic [4:0] source1, input logic [2:0] f3,
                                         input logic [4:0] dest, input logic [6:0] op);
    i_type = {imm, source1, f3, dest, op};
  endfunction
  function automatic logic [31:0] s_type(input logic [11:0] imm, input logic [4:0] source2, input logic [4:0] source1,
                                         input logic [2:0] f3, input logic [6:0] op);
    s_type = {imm[11:5], source2, source1, f3, imm[4:0], op};
  endfunction
  function automatic logic [31:0] b_type(input logic [12:1] imm, input logic [4:0] source1, input logic [2:0] f3);
    b_type = {imm[12], imm[10:5], 5'd0, source1, f3, imm[4:1], imm[11], OpBranch};
  endfunction
  function automatic logic [31:0] j_type(input logic [20:1] imm, input logic [4:0] dest);
    j_type = {imm[20], imm[10:1], imm[11], imm[19:12], dest, OpJal};
  endfunction

  logic [31:0] quadrant0, quadrant1, quadrant2, arith;

  always_comb begin
    quadrant0 = '0;
    case (insn_i[15:13])
      3'b000: if (addi4spn != '0) quadrant0 = i_type(addi4spn, 5'd2, 3'b000, rdp, OpImm);  // c.addi4spn
      3'b001: quadrant0 = i_type(ld, rs1p, 3'b011, rdp, OpLoadFp);                         // c.fld
      3'b010: quadrant0 = i_type(lw, rs1p, 3'b010, rdp, OpLoad);                           // c.lw
      3'b011: quadrant0 = i_type(ld, rs1p, 3'b011, rdp, OpLoad);                           // c.ld
      3'b101: quadrant0 = s_type(ld, rs2p, rs1p, 3'b011, OpStoreFp);                       // c.fsd
      3'b110: quadrant0 = s_type(lw, rs2p, rs1p, 3'b010, OpStore);                                  // c.sw
      3'b111: quadrant0 = s_type(ld, rs2p, rs1p, 3'b011, OpStore);                                  // c.sd
      default: ;
    endcase
  end

  always_comb begin
    arith = '0;
    case (insn_i[11:10])
      2'b00: arith = r_type({6'b000000, insn_i[12]}, rs2, rs1p, 3'b101, rs1p, OpImm);      // c.srli
      2'b01: arith = r_type({6'b010000, insn_i[12]}, rs2, rs1p, 3'b101, rs1p, OpImm);      // c.srai
      2'b10: arith = i_type(imm6, rs1p, 3'b111, rs1p, OpImm);                              // c.andi
      default:
        case ({insn_i[12], insn_i[6:5]})
          3'b000: arith = r_type(7'b0100000, rs2p, rs1p, 3'b000, rs1p, OpReg);             // c.sub
          3'b001: arith = r_type(7'b0000000, rs2p, rs1p, 3'b100, rs1p, OpReg);             // c.xor
          3'b010: arith = r_type(7'b0000000, rs2p, rs1p, 3'b110, rs1p, OpReg);             // c.or
          3'b011: arith = r_type(7'b0000000, rs2p, rs1p, 3'b111, rs1p, OpReg);             // c.and
          3'b100: arith = r_type(7'b0100000, rs2p, rs1p, 3'b000, rs1p, OpReg32);           // c.subw
          3'b101: arith = r_type(7'b0000000, rs2p, rs1p, 3'b000, rs1p, OpReg32);           // c.addw
          default: ;
        endcase
    endcase
  end

  always_comb begin
    quadrant1 = '0;
    case (insn_i[15:13])
      3'b000: quadrant1 = i_type(imm6, rd, 3'b000, rd, OpImm);                             // c.addi, c.nop
      3'b001: if (rd != '0) quadrant1 = i_type(imm6, rd, 3'b000, rd, OpImm32);             // c.addiw
      3'b010: quadrant1 = i_type(imm6, 5'd0, 3'b000, rd, OpImm);                           // c.li
      3'b011:
        if (rd == 5'd2) begin
          if (addi16sp != '0) quadrant1 = i_type(addi16sp, 5'd2, 3'b000, 5'd2, OpImm);     // c.addi16sp
        end else if (imm6 != '0) begin
          quadrant1 = {{14{insn_i[12]}}, insn_i[12], insn_i[6:2], rd, OpLui};              // c.lui
        end
      3'b100: quadrant1 = arith;
      3'b101: quadrant1 = j_type(jump, 5'd0);                                        // c.j
      3'b110: quadrant1 = b_type(branch, rs1p, 3'b000);                              // c.beqz
      default: quadrant1 = b_type(branch, rs1p, 3'b001);                             // c.bnez
    endcase
  end

  always_comb begin
    quadrant2 = '0;
    case (insn_i[15:13])
      3'b000: quadrant2 = r_type({6'b000000, insn_i[12]}, rs2, rd, 3'b001, rd, OpImm);     // c.slli
      3'b001: quadrant2 = i_type(ldsp, 5'd2, 3'b011, rd, OpLoadFp);                        // c.fldsp
      3'b010: if (rd != '0) quadrant2 = i_type(lwsp, 5'd2, 3'b010, rd, OpLoad);            // c.lwsp
      3'b011: if (rd != '0) quadrant2 = i_type(ldsp, 5'd2, 3'b011, rd, OpLoad);            // c.ldsp
      3'b100:
        if (!insn_i[12]) begin
          if (rs2 != '0) quadrant2 = r_type(7'd0, rs2, 5'd0, 3'b000, rd, OpReg);           // c.mv
          else if (rd != '0) quadrant2 = i_type(12'd0, rd, 3'b000, 5'd0, OpJalr);          // c.jr
        end else begin
          if (rs2 != '0) quadrant2 = r_type(7'd0, rs2, rd, 3'b000, rd, OpReg);             // c.add
          else if (rd != '0) quadrant2 = i_type(12'd0, rd, 3'b000, 5'd1, OpJalr);          // c.jalr
          else quadrant2 = 32'h0010_0073;                                                  // c.ebreak
        end
      3'b101: quadrant2 = s_type(sdsp, rs2, 5'd2, 3'b011, OpStoreFp);                      // c.fsdsp
      3'b110: quadrant2 = s_type(swsp, rs2, 5'd2, 3'b010, OpStore);                                 // c.swsp
      3'b111: quadrant2 = s_type(sdsp, rs2, 5'd2, 3'b011, OpStore);                                 // c.sdsp
      default: ;
    endcase
  end

  always_comb
    case (insn_i[1:0])
      2'b00: insn_o = quadrant0;
      2'b01: insn_o = quadrant1;
      default: insn_o = quadrant2;
    endcase
endmodule
