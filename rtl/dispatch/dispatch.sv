// Dispatch: which of the instructions in the decode registers leave in this cycle. Combinational but for two flags.
//
// They leave in program order, each when the ROB, its issue queue, a physical register, a snapshot and a load or store
// queue entry are available. A serial instruction leaves alone, into an empty ROB, and nothing follows until it has
// left the ROB. A store that had to wait as the oldest because the store queue was full carries DR_SQ.
module dispatch
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import decode_pkg::*;
  import dispatch_pkg::*;
  import rob_pkg::*;
  import life_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic squash_i,                           // cycle of a squash: nothing leaves
  input  logic hold_i,                             // nothing leaves: the head raises an exception
  input  logic serial_busy_i,                      // a serial instruction is in the ROB
  // decode registers
  input  logic [CoreWidth-1:0] valid_i,
  input  decoded_t uop_i [CoreWidth],
  // what each lane wants
  output room_t want_o,
  output lanes_t want_pd_o,
  output lanes_t want_snap_o,
  // which resource is missing
  input  rob_room_t rob_room_i,
  input  room_t full_i,
  input  lanes_t pd_empty_i,
  input  lanes_t snap_full_i,
  // what leaves
  output dispatch_t dis_o,
  output logic serial_o,                           // slot 0 leaves and is serial
  output psv_t psv_o [CoreWidth],
  output conflict_t conflict_o                     // ProfileTags != 0: of the first that is here and does not leave
);
  logic dr_sq_q;

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_want
    always_comb begin
      want_o.loads[i] = valid_i[i] && uop_i[i].unit == UNIT_LOAD;
      want_o.stores[i] = valid_i[i] && uop_i[i].unit == UNIT_STORE;
      want_o.mems[i] = want_o.loads[i] || want_o.stores[i] || (valid_i[i] && uop_i[i].unit == UNIT_AMO);
      want_snap_o[i] = valid_i[i] && (uop_i[i].unit == UNIT_BRANCH || uop_i[i].unit == UNIT_JALR);
      want_pd_o[i] = valid_i[i] && uop_i[i].rd_valid;
      want_o.fps[i] = valid_i[i] && uop_i[i].unit == UNIT_FP;
      case (uop_i[i].unit)
        UNIT_ALU, UNIT_BRANCH, UNIT_JAL, UNIT_JALR, UNIT_MUL, UNIT_DIV, UNIT_CSR: want_o.ints[i] = valid_i[i];
        UNIT_FENCE: want_o.ints[i] = valid_i[i] && uop_i[i].op == OP_SFENCE_VMA;  // has operands
        default: want_o.ints[i] = 1'b0;
      endcase
      psv_o[i] = '0;
      psv_o[i][EvDrL1] = uop_i[i].dr_l1;
      psv_o[i][EvDrTlb] = uop_i[i].dr_tlb;
      psv_o[i][EvDrSq] = i == 0 && dr_sq_q;
    end
  end

  lanes_t lacks, serial, fire;
  count_t count;
  assign dis_o = '{fire: fire, count: count};
  assign lacks = full_i.ints | full_i.mems | full_i.fps | full_i.loads | full_i.stores | pd_empty_i | snap_full_i;

  always_comb begin
    automatic logic go = !squash_i && !hold_i && !serial_busy_i;
    for (int i = 0; i < CoreWidth; i++) begin
      serial[i] = uop_i[i].serial;
      go = go && valid_i[i] && !lacks[i] && 32'(rob_room_i.free) > i && (!serial[i] || (i == 0 && rob_room_i.empty));
      fire[i] = go;
      go = go && !serial[i];
    end
  end

  always_comb begin
    count = '0;
    for (int i = 0; i < CoreWidth; i++) if (fire[i]) count = count_t'(i + 1);
  end
  assign serial_o = fire[0] && serial[0];

  // ---- observers ----
  always_comb begin
    conflict_o = '0;
    if (ProfileTags != 0 && !squash_i && !hold_i)
      for (int i = 0; i < CoreWidth; i++)
        if (valid_i[i] && count == count_t'(i))
          conflict_o = '{serial: serial_busy_i || (serial[i] && !(i == 0 && rob_room_i.empty)) ||
                         (i != 0 && serial[i == 0 ? 0 : i - 1]), snapshots: snap_full_i[i], registers: pd_empty_i[i],
                         stores: full_i.stores[i], loads: full_i.loads[i], fps: full_i.fps[i], mems: full_i.mems[i],
                         ints: full_i.ints[i], rob: 32'(rob_room_i.free) <= i};
  end

  always_ff @(posedge clk_i)
    if (!rst_ni || squash_i || fire[0]) dr_sq_q <= 1'b0;
    else dr_sq_q <= dr_sq_q || full_i.stores[0];
endmodule
