// What the core's stages do with instructions in a cycle, as a unit that follows single ones needs it (life_pkg):
// what is dispatched, what issues, what is done, what leaves. Wires alone.
module life_tap
  import config_pkg::*;
  import core_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import decode_pkg::*;
  import rename_pkg::*;
  import dispatch_pkg::*;
  import issue_pkg::*;
  import port_pkg::*;
  import rob_pkg::*;
  import commit_pkg::*;
  import life_pkg::*;
(
  // dispatch
  input  dispatch_t dis_i,
  input  decoded_t uop_i [CoreWidth],
  input  room_t want_i,
  input  ready_t ready_i,
  input  fp_uop_t fp_i [CoreWidth],
  input  rob_entry_t entry_i [CoreWidth],
  input  rob_room_t rob_room_i,
  output life_lane_t lane_o [CoreWidth],
  // execution
  input  rob_ref_t int_issue_i [IntPorts],
  input  rob_ref_t mem_issue_i [MemPorts],
  input  rob_ref_t fp_issue_i [FpArrays],
  output rob_ref_t issue_o [Issues],
  input  rob_ref_t plain_done_i [PlainDones],
  input  mem_done_t mem_done_i [2*MemPorts],
  output rob_ref_t done_o [Dones],
  // commit
  input  commit_t com_i,
  input  raise_t raise_i,
  input  logic reorders_i,                 // it is a replay for memory ordering
  input  squash_t squash_i,
  output leaving_t leaving_o
);
  always_comb begin
    for (int i = 0; i < CoreWidth; i++) begin
      automatic unit_e unit = uop_i[i].unit;
      lane_o[i] = '0;
      if (dis_i.fire[i]) begin
        lane_o[i] = '{rob: rob_room_i.place[i], kind: TYPE_OTHER,
                      returns: unit == UNIT_SYS && (uop_i[i].op == OP_MRET || uop_i[i].op == OP_SRET),
                      queued: want_i.ints[i] || want_i.mems[i] || want_i.fps[i],
                      ready1: ready_i.first[i], ready2: ready_i.second[i] || (SplitStores != 0 && want_i.stores[i]),
                      ready3: ready_i.third[i] || !want_i.fps[i], ps1: fp_i[i].ps1, ps2: fp_i[i].ps2,
                      ps3: fp_i[i].ps3, psv: entry_i[i].psv & PsvEntering};
        if (want_i.loads[i]) lane_o[i].kind = TYPE_LOAD;
        else if (want_i.stores[i]) lane_o[i].kind = TYPE_STORE;
        else if (unit == UNIT_AMO) lane_o[i].kind = TYPE_BOTH;
        else if (unit == UNIT_BRANCH || unit == UNIT_JAL || unit == UNIT_JALR || lane_o[i].returns)
          lane_o[i].kind = TYPE_TRANSFER;
      end
    end
  end

  always_comb begin
    for (int p = 0; p < IntPorts; p++) issue_o[p] = int_issue_i[p];
    for (int p = 0; p < MemPorts; p++) issue_o[IntPorts+p] = mem_issue_i[p];
    for (int p = 0; p < FpArrays; p++) issue_o[IntPorts+MemPorts+p] = fp_issue_i[p];
    for (int d = 0; d < PlainDones; d++) done_o[d] = plain_done_i[d];
    for (int d = 0; d < 2 * MemPorts; d++)
      done_o[PlainDones+d] = '{valid: mem_done_i[d].valid, rob: mem_done_i[d].rob};
  end

  assign leaving_o = '{head: com_i.head, head_valid: !rob_room_i.empty, commits: com_i.count, flush: com_i.flush,
                       raises: raise_i.valid, irq: raise_i.irq, replay: raise_i.replay, reorders: reorders_i,
                       cause: raise_i.cause, squash: squash_i.valid, all: squash_i.all, youngest: squash_i.rob};
endmodule
