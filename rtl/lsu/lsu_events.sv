// What loads, stores and AMOs meet, in the cycle in which it is found, for their vectors in the ROB. Combinational.
//
//   ports                  who                         event
//   0 .. MemPorts-1        the load in M1              ST_L1: no line. ST_LLC: its line has come from beyond the LLC,
//                                                      ST_COH: from another hart
//                          the AMO, on port 0          (it is alone in the machine, so no load is in M1 then)
//   MemPorts ..            who is in EX                ST_TLB: no translation, a walk follows
//   the last               the oldest load, asleep     ST_LLC, ST_COH, in the cycle of the refill (load_met)
//
// Who is named is alive: a squash of this cycle does not kill it. Nobody is named twice in a cycle: what is in EX has
// not executed, so it is neither in M1 nor asleep, and load_met skips what is in M1.
module lsu_events
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  // EX
  input  logic [MemPorts-1:0] tlb_miss_i,
  input  load_info_t tlb_info_i [MemPorts],
  // M1
  input  load_result_t res_i [MemPorts],
  input  load_info_t res_info_i [MemPorts],
  input  load_met_t met_i,
  input  mem_event_t amo_i,
  output mem_event_t event_o [MemEvents]
);
  function automatic psv_t origin(input source_t from);
    origin = from.peer ? PsvStCoh : '0;
    origin[EvStLlc] = from.llc;
  endfunction

  always_comb begin
    for (int p = 0; p < MemPorts; p++) begin
      event_o[p] = '{valid: 1'b0, rob: res_info_i[p].rob, psv: origin(met_i.ended[p])};
      event_o[p].psv[EvStL1] = res_i[p].missed;
      event_o[p].valid = res_i[p].valid && event_o[p].psv != '0;
      event_o[MemPorts+p] = '{valid: tlb_miss_i[p], rob: tlb_info_i[p].rob, psv: '0};
      event_o[MemPorts+p].psv[EvStTlb] = 1'b1;
    end
    if (amo_i.valid) event_o[0] = amo_i;
    event_o[2*MemPorts] = '{valid: origin(met_i.oldest) != '0, rob: met_i.rob, psv: origin(met_i.oldest)};
  end
endmodule
