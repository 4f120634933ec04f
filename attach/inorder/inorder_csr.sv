// CSRs of machine mode: traps, interrupts, two counters. Each access commits alone, and the core refetches after it.
module inorder_csr
  import inorder_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] insn_i,       // the oldest instruction
  input  word_t       operand_i,    // rs1's value
  output word_t       read_o,
  output logic        there_o,      // there is such a CSR, and it may be written
  input  logic        commit_i,     // the access commits
  input  logic [1:0]  retire_i,
  input  logic        mret_i,
  input  logic        trap_i,
  input  logic        trap_interrupt_i,
  input  logic [5:0]  trap_cause_i,
  input  word_t       trap_pc_i,
  input  word_t       trap_value_i,
  input  logic [2:0]  lines_i,      // external, timer, software
  output logic        interrupt_o,
  output logic [5:0]  interrupt_cause_o,
  output word_t       vector_o,
  output word_t       return_o
);
  word_t mtvec_q, mscratch_q, mepc_q, mtval_q, mcause_q, cycle_q, instret_q;
  logic enable_q, before_q;   // mstatus.MIE, MPIE
  logic [2:0] mie_q, asking;  // external, timer, software
  logic [11:0] address;
  word_t source, write;
  logic writes;

  assign address = insn_i[31:20];
  assign source = insn_i[14] ? {59'b0, insn_i[19:15]} : operand_i;
  assign writes = insn_i[13:12] == 2'd1 || insn_i[19:15] != '0;
  assign asking = mie_q & lines_i;
  assign interrupt_o = enable_q && asking != '0;
  assign interrupt_cause_o = asking[2] ? 6'd11 : asking[0] ? 6'd3 : 6'd7;
  assign vector_o = {mtvec_q[63:2], 2'b0};
  assign return_o = mepc_q;

  always_comb begin
    there_o = !writes || address[11:10] != 2'd3;
    case (address)
      12'h300: read_o = {51'b0, 2'b11, 3'b0, before_q, 3'b0, enable_q, 3'b0};
      12'h304: read_o = {52'b0, mie_q[2], 3'b0, mie_q[1], 3'b0, mie_q[0], 3'b0};
      12'h305: read_o = mtvec_q;
      12'h340: read_o = mscratch_q;
      12'h341: read_o = mepc_q;
      12'h342: read_o = mcause_q;
      12'h343: read_o = mtval_q;
      12'h344: read_o = {52'b0, lines_i[2], 3'b0, lines_i[1], 3'b0, lines_i[0], 3'b0};
      12'hb00, 12'hc00: read_o = cycle_q;
      12'hb02, 12'hc02: read_o = instret_q;
      12'hf14: read_o = '0;
      default: begin
        read_o = '0;
        there_o = 1'b0;
      end
    endcase
    case (insn_i[13:12])
      2'd1: write = source;
      2'd2: write = read_o | source;
      default: write = read_o & ~source;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_q <= 1'b0;
      before_q <= 1'b0;
      mie_q <= '0;
      cycle_q <= '0;
      instret_q <= '0;
    end else begin
      cycle_q <= cycle_q + 64'd1;
      instret_q <= instret_q + 64'($countones(retire_i));
      if (commit_i && writes)
        case (address)
          12'h300: {before_q, enable_q} <= {write[7], write[3]};
          12'h304: mie_q <= {write[11], write[7], write[3]};
          12'h305: mtvec_q <= write;
          12'h340: mscratch_q <= write;
          12'h341: mepc_q <= {write[63:2], 2'b0};
          12'h342: mcause_q <= write;
          12'h343: mtval_q <= write;
          12'hb00: cycle_q <= write;
          12'hb02: instret_q <= write;
          default: ;
        endcase
      if (mret_i) {before_q, enable_q} <= {1'b1, before_q};
      if (trap_i) begin
        {before_q, enable_q} <= {enable_q, 1'b0};
        mepc_q <= trap_pc_i;
        mcause_q <= {trap_interrupt_i, 57'b0, trap_cause_i};
        mtval_q <= trap_value_i;
      end
    end
  end
endmodule
