// Dispatch: which of the instructions in the decode registers leave in this cycle. Combinational but for two flags.
//
// They leave in program order, each when the ROB, its issue queue, a physical register, a snapshot and a load or store
// queue entry are to be had. A serial instruction leaves alone, into an empty ROB, and nothing follows until it has
// left the ROB. A store that had to wait as the oldest because the store queue was full carries DR_SQ.
module dispatch
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import uop_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic squash_i,                           // cycle of a squash: nothing leaves
  input  logic hold_i,                             // nothing leaves: the head raises an exception
  input  logic serial_busy_i,                      // a serial instruction is in the ROB
  // decode registers
  input  logic [CoreWidth-1:0] valid_i,
  /* verilator lint_off UNUSEDSIGNAL */  // kind and events are what counts here
  input  decoded_t uop_i [CoreWidth],
  /* verilator lint_on UNUSEDSIGNAL */
  // what each lane wants
  output logic [CoreWidth-1:0] want_int_o,
  output logic [CoreWidth-1:0] want_mem_o,
  output logic [CoreWidth-1:0] want_fp_o,
  output logic [CoreWidth-1:0] want_load_o,
  output logic [CoreWidth-1:0] want_store_o,
  output logic [CoreWidth-1:0] want_pd_o,
  output logic [CoreWidth-1:0] want_snap_o,
  // what is not to be had
  input  count_t rob_free_i,                       // at most CoreWidth
  input  logic rob_empty_i,
  input  logic [CoreWidth-1:0] int_full_i,
  input  logic [CoreWidth-1:0] mem_full_i,
  input  logic [CoreWidth-1:0] fp_full_i,
  input  logic [CoreWidth-1:0] lq_full_i,
  input  logic [CoreWidth-1:0] sq_full_i,
  input  logic [CoreWidth-1:0] pd_empty_i,
  input  logic [CoreWidth-1:0] snap_full_i,
  // what leaves
  output logic [CoreWidth-1:0] fire_o,
  output count_t fire_count_o,
  output logic serial_o,                           // slot 0 leaves and is serial
  output psv_t psv_o [CoreWidth]
);
  logic dr_sq_q;

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_want
    always_comb begin
      want_load_o[i] = valid_i[i] && uop_i[i].unit == UNIT_LOAD;
      want_store_o[i] = valid_i[i] && uop_i[i].unit == UNIT_STORE;
      want_mem_o[i] = want_load_o[i] || want_store_o[i] || (valid_i[i] && uop_i[i].unit == UNIT_AMO);
      want_snap_o[i] = valid_i[i] && (uop_i[i].unit == UNIT_BRANCH || uop_i[i].unit == UNIT_JALR);
      want_pd_o[i] = valid_i[i] && uop_i[i].rd_valid;
      want_fp_o[i] = valid_i[i] && uop_i[i].unit == UNIT_FP;
      case (uop_i[i].unit)
        UNIT_ALU, UNIT_BRANCH, UNIT_JAL, UNIT_JALR, UNIT_MUL, UNIT_DIV, UNIT_CSR: want_int_o[i] = valid_i[i];
        default: want_int_o[i] = 1'b0;
      endcase
      psv_o[i] = '0;
      psv_o[i][EvDrL1] = uop_i[i].dr_l1;
      psv_o[i][EvDrTlb] = uop_i[i].dr_tlb;
      psv_o[i][EvDrSq] = i == 0 && dr_sq_q;
    end
  end

  logic [CoreWidth-1:0] lacks, serial;
  assign lacks = int_full_i | mem_full_i | fp_full_i | lq_full_i | sq_full_i | pd_empty_i | snap_full_i;

  always_comb begin
    automatic logic go = !squash_i && !hold_i && !serial_busy_i;
    for (int i = 0; i < CoreWidth; i++) begin
      serial[i] = uop_i[i].serial;
      go = go && valid_i[i] && !lacks[i] && 32'(rob_free_i) > i && (!serial[i] || (i == 0 && rob_empty_i));
      fire_o[i] = go;
      go = go && !serial[i];
    end
  end

  always_comb begin
    fire_count_o = '0;
    for (int i = 0; i < CoreWidth; i++) if (fire_o[i]) fire_count_o = count_t'(i + 1);
  end
  assign serial_o = fire_o[0] && serial[0];

  always_ff @(posedge clk_i)
    if (!rst_ni || squash_i || fire_o[0]) dr_sq_q <= 1'b0;
    else dr_sq_q <= dr_sq_q || sq_full_i[0];
endmodule
