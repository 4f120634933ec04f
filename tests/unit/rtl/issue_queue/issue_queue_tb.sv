// Both issue queues, with the wakes that the integer queue sends looped back as in the core. Ports are flat and of
// fixed size. A register's value is its number times ValueOf, so that payload can be recognised.
module issue_queue_tb
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  output logic [31:0] rob_entries_o,
  output logic [31:0] pregs_o,
  output logic [31:0] int_entries_o,
  output logic [31:0] int_ports_o,
  output logic [31:0] mem_entries_o,
  output logic [31:0] mem_ports_o,
  output logic [31:0] branch_ports_o,
  output logic [31:0] mul_port_o,
  output logic [31:0] div_port_o,
  input  logic        squash_i,
  input  logic        squash_all_i,
  input  logic [15:0] squash_rob_i,
  // dispatch
  input  logic [7:0]  want_int_i,
  input  logic [7:0]  want_mem_i,
  input  logic [7:0]  fire_i,
  output logic [7:0]  int_full_o,
  output logic [7:0]  mem_full_o,
  input  logic [7:0]  op_i [8],
  input  logic [7:0]  unit_i [8],
  input  logic [15:0] rob_i [8],
  input  logic [15:0] pd_i [8],
  input  logic [7:0]  pd_valid_i,
  input  logic [15:0] ps1_i [8],
  input  logic [15:0] ps2_i [8],
  input  logic [63:0] pc_i [8],        // low bits of it are the payload that only travels along
  input  logic [31:0] imm_i [8],
  input  logic [7:0]  ready1_i,
  input  logic [7:0]  ready2_i,
  input  logic [7:0]  waits_i,
  input  logic        div_free_i,
  input  logic [1:0]  hold_i,          // memory ports
  // wakes that do not come from the integer ports
  input  logic [7:0]  wake_i,
  input  logic [15:0] wake_tag_i [8],
  // wakes of the integer ports
  output logic [7:0]  int_wake_o,
  output logic [15:0] int_wake_tag_o [8],
  // RR of integer instructions
  output logic [7:0]  rr_valid_o,
  output logic [15:0] rr_rob_o [8],
  output logic [63:0] rr_pc_o [8],
  output logic [31:0] rr_imm_o [8],
  output logic [63:0] rr_rest_o [8],   // op, unit, pd, pd_valid, ps1, ps2, and what travels along
  // EX of memory instructions
  output logic [1:0]  ex_valid_o,
  output logic [15:0] ex_rob_o [2],
  output logic [63:0] ex_base_o [2],
  output logic [63:0] ex_data_o [2],
  output logic [1:0]  ex_part_o [2],
  output logic rr_divides_o,
  output logic [31:0] split_stores_o,
  output logic [63:0] ex_rest_o [2]    // op, unit, pd, pd_valid, imm, lq, sq
);
  localparam word_t ValueOf = 64'h9e37_79b9_7f4a_7c15;

  function automatic rob_idx_t narrow(input logic [15:0] wide);
    narrow = '{wrap: wide[15], idx: wide[RobIdxBits-2:0]};
  endfunction
  function automatic logic [15:0] widen(input rob_idx_t rob);
    widen = {rob.wrap, 15'(rob.idx)};
  endfunction

  squash_t squash;
  int_uop_t int_uop [CoreWidth], rr_uop [IntPorts];
  mem_entry_t mem_uop [CoreWidth];
  word_t pc [CoreWidth], rr_pc [IntPorts], data1 [MemPorts], data2 [MemPorts];
  logic [31:0] imm [CoreWidth], rr_imm [IntPorts];
  logic [CoreWidth-1:0] int_full, mem_full;
  wake_t wake [Wakes], int_wake [IntPorts];
  preg_t mem_ps1 [MemPorts], mem_ps2 [MemPorts];
  logic [IntPorts-1:0] rr_valid;
  mem_uop_t ex [MemPorts];

  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.rob = narrow(squash_rob_i);
    for (int i = 0; i < CoreWidth; i++) begin
      int_uop[i] = '{op: op_e'(op_i[i]), unit: unit_e'(unit_i[i]), rob: narrow(rob_i[i]), pd: preg_t'(pd_i[i]),
                     pd_valid: pd_valid_i[i], ps1: preg_t'(ps1_i[i]), ps2: preg_t'(ps2_i[i]), use_pc: pc_i[i][0],
                     use_imm: pc_i[i][1], rvc: pc_i[i][2], pred_taken: pc_i[i][3], ftq: ftq_idx_t'(pc_i[i][15:8]),
                     snapshot: snapshot_t'(pc_i[i][23:16])};
      mem_uop[i] = '{op: op_e'(op_i[i]), unit: unit_e'(unit_i[i]), rob: narrow(rob_i[i]), lq: lq_idx_t'(pc_i[i][15:8]),
                     sq: sq_idx_t'(pc_i[i][23:16]), pd: preg_t'(pd_i[i]), pd_valid: pd_valid_i[i],
                     ps1: preg_t'(ps1_i[i]), ps2: preg_t'(ps2_i[i])};
      pc[i] = pc_i[i];
      imm[i] = imm_i[i];
    end
    for (int w = 0; w < Wakes; w++)
      wake[w] = w < IntPorts ? int_wake[w % IntPorts] : '{valid: wake_i[3'(w - IntPorts)],
                                                          tag: preg_t'(wake_tag_i[3'(w - IntPorts)])};
    for (int p = 0; p < MemPorts; p++) begin
      data1[p] = ValueOf * 64'(mem_ps1[p]);
      data2[p] = ValueOf * 64'(mem_ps2[p]);
    end
  end

  int_queue u_int_queue (
    .clk_i, .rst_ni, .squash_i(squash), .want_i(want_int_i[CoreWidth-1:0]), .full_o(int_full),
    .fire_i(fire_i[CoreWidth-1:0]), .uop_i(int_uop), .pc_i(pc), .imm_i(imm), .ready1_i(ready1_i[CoreWidth-1:0]),
    .ready2_i(ready2_i[CoreWidth-1:0]), .wake_i(wake), .wake_o(int_wake), .div_free_i, .rr_valid_o(rr_valid),
    .rr_uop_o(rr_uop), .rr_pc_o(rr_pc), .rr_imm_o(rr_imm), .rr_divides_o
  );
  mem_queue u_mem_queue (
    .clk_i, .rst_ni, .squash_i(squash), .want_i(want_mem_i[CoreWidth-1:0]), .full_o(mem_full),
    .fire_i(fire_i[CoreWidth-1:0]), .uop_i(mem_uop), .imm_i(imm), .ready1_i(ready1_i[CoreWidth-1:0]),
    .ready2_i(ready2_i[CoreWidth-1:0]), .waits_i(waits_i[CoreWidth-1:0]), .wake_i(wake),
    .hold_i(hold_i[MemPorts-1:0]), .rr_ps1_o(mem_ps1), .rr_ps2_o(mem_ps2), .rr_data1_i(data1), .rr_data2_i(data2),
    .ex_uop_o(ex),
    /* verilator lint_off PINCONNECTEMPTY */  // what observers see is held to whole programs (worker inst-lifetimes)
    .rr_issue_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  for (genvar p = 0; p < 8; p++) begin : gen_int
    if (p < IntPorts) begin : gen_port
      assign int_wake_o[p] = int_wake[p].valid;
      assign int_wake_tag_o[p] = 16'(int_wake[p].tag);
      assign rr_rob_o[p] = widen(rr_uop[p].rob);
      assign rr_pc_o[p] = rr_pc[p];
      assign rr_imm_o[p] = rr_imm[p];
      assign rr_rest_o[p] = {8'(rr_uop[p].op), 4'(rr_uop[p].unit), rr_uop[p].pd_valid, 11'(rr_uop[p].pd),
                             10'(rr_uop[p].ps1), 10'(rr_uop[p].ps2), rr_uop[p].pred_taken, rr_uop[p].rvc,
                             rr_uop[p].use_imm, rr_uop[p].use_pc, 8'(rr_uop[p].ftq), 8'(rr_uop[p].snapshot)};
    end else begin : gen_none
      assign int_wake_o[p] = 1'b0;
      assign int_wake_tag_o[p] = '0;
      assign rr_rob_o[p] = '0;
      assign rr_pc_o[p] = '0;
      assign rr_imm_o[p] = '0;
      assign rr_rest_o[p] = '0;
    end
  end
  for (genvar p = 0; p < 2; p++) begin : gen_mem
    if (p < MemPorts) begin : gen_port
      assign ex_valid_o[p] = ex[p].valid;
      assign ex_rob_o[p] = widen(ex[p].rob);
      assign ex_base_o[p] = ex[p].base;
      assign ex_part_o[p] = ex[p].part;
      assign ex_data_o[p] = ex[p].data;
      assign ex_rest_o[p] = {8'(ex[p].op), 4'(ex[p].unit), ex[p].pd_valid, 11'(ex[p].pd), ex[p].imm, 12'd0,
                             8'(ex[p].lq),
                             8'(ex[p].sq)};
    end else begin : gen_none
      assign ex_valid_o[p] = 1'b0;
      assign ex_rob_o[p] = '0;
      assign ex_base_o[p] = '0;
      assign ex_part_o[p] = '0;
      assign ex_data_o[p] = '0;
      assign ex_rest_o[p] = '0;
    end
  end
  assign int_full_o = 8'(int_full);
  assign mem_full_o = 8'(mem_full);
  assign rr_valid_o = 8'(rr_valid);
  assign width_o = CoreWidth;
  assign rob_entries_o = RobEntries;
  assign pregs_o = IntPregs;
  assign int_entries_o = IntIqEntries;
  assign int_ports_o = IntPorts;
  assign mem_entries_o = MemIqEntries;
  assign mem_ports_o = MemPorts;
  assign split_stores_o = SplitStores;
  assign branch_ports_o = BranchPorts;
  assign mul_port_o = MulPort;
  assign div_port_o = DivPort;
endmodule
