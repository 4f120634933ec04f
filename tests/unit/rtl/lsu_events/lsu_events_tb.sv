// lsu_events with flat ports: memory ports by their bits, events by their number.
module lsu_events_tb
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  output logic [31:0] ports_o,
  output logic [31:0] rob_bits_o,
  output logic [15:0] st_l1_o,         // vectors with that event alone
  output logic [15:0] st_llc_o,
  output logic [15:0] st_coh_o,
  output logic [15:0] st_tlb_o,
  input  logic [1:0]  tlb_miss_i,
  input  logic [15:0] tlb_rob_i [2],
  input  logic [1:0]  res_i,
  input  logic [1:0]  missed_i,
  input  logic [1:0]  llc_i,
  input  logic [1:0]  peer_i,
  input  logic [15:0] res_rob_i [2],
  input  logic [1:0]  oldest_i,        // from another hart, from beyond the LLC
  input  logic [15:0] oldest_rob_i,
  input  logic        amo_i,
  input  logic [15:0] amo_rob_i,
  input  logic [15:0] amo_psv_i,
  output logic [4:0]  event_o,
  output logic [15:0] rob_o [5],
  output logic [15:0] psv_o [5]
);
  load_info_t tlb_info [MemPorts], res_info [MemPorts];
  load_result_t res [MemPorts];
  mem_event_t events [MemEvents];
  load_met_t met;
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      tlb_info[p] = '0;
      tlb_info[p].rob = rob_idx_t'(tlb_rob_i[p]);
      res_info[p] = '0;
      res_info[p].rob = rob_idx_t'(res_rob_i[p]);
      res[p] = '0;
      res[p].valid = res_i[p];
      res[p].missed = missed_i[p];
      met.ended[p] = '{llc: llc_i[p], peer: peer_i[p]};
    end
  assign met.oldest = '{llc: oldest_i[0], peer: oldest_i[1]};
  assign met.rob = rob_idx_t'(oldest_rob_i);
  lsu_events u_dut (
    .tlb_miss_i(tlb_miss_i[MemPorts-1:0]), .tlb_info_i(tlb_info), .res_i(res), .res_info_i(res_info),
    .met_i(met),
    .amo_i('{valid: amo_i, rob: rob_idx_t'(amo_rob_i), psv: psv_t'(amo_psv_i)}), .event_o(events)
  );
  for (genvar e = 0; e < 5; e++) begin : gen_event
    if (e < MemEvents) begin : gen_there
      assign event_o[e] = events[e].valid;
      assign rob_o[e] = 16'(events[e].rob);
      assign psv_o[e] = 16'(events[e].psv);
    end else begin : gen_none
      assign event_o[e] = 1'b0;
      assign rob_o[e] = '0;
      assign psv_o[e] = '0;
    end
  end
  assign ports_o = MemPorts;
  assign rob_bits_o = $bits(rob_idx_t);
  assign st_l1_o = 16'd1 << EvStL1;
  assign st_llc_o = 16'd1 << EvStLlc;
  assign st_coh_o = 16'(PsvStCoh);
  assign st_tlb_o = 16'd1 << EvStTlb;
endmodule
