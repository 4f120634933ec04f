// profileme with plain ports of fixed size, so that one bench serves every width. A place in the ROB is its number,
// with the wrap bit in bit 15.
module profileme_tb
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import fetch_pkg::*;
  import dispatch_pkg::*;
  import life_pkg::*;
  import profileme_pkg::*;
  import instruction_sample_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // lanes, sets, records, slots, entries of the ROB, of the fetch buffer, ports: wakes, issues, addresses, events,
  // branches, dones
  output int          sizes_o [12],
  output int          pregs_o,
  // software
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  input  logic        hidden_i,
  output logic        lcofi_o,
  input  logic        take_i,
  output logic        ready_o,
  output logic [63:0] word_o [SampleWords],
  // the core
  input  logic        packet_i,
  input  logic [63:0] block_i,
  input  logic [7:0]  slots_i,
  input  logic [7:0]  rvc_i,
  input  logic [7:0]  branches_i,
  input  logic [2:0]  kind_i [8],
  input  logic [15:0] history_i,
  input  logic [1:0]  priv_i,
  input  logic [43:0] space_i,
  input  logic [3:0]  count_i,
  input  logic [15:0] lane_rob_i [8],
  input  logic [2:0]  lane_kind_i [8],
  input  logic [7:0]  lane_returns_i,
  input  logic [7:0]  lane_queued_i,
  input  logic [2:0]  lane_ready_i [8],
  input  logic [7:0]  lane_ps_i [24],
  input  logic [8:0]  lane_psv_i [8],
  input  logic [8:0]  conflict_i,
  input  logic [31:0] wake_i,
  input  logic [7:0]  wake_tag_i [32],
  input  logic [31:0] issue_i,
  input  logic [15:0] issue_rob_i [32],
  input  logic [7:0]  addressed_i,
  input  logic [15:0] addressed_rob_i [8],
  input  logic [63:0] addressed_addr_i [8],
  input  logic [15:0] event_i,
  input  logic [15:0] event_rob_i [16],
  input  logic [8:0]  event_psv_i [16],
  input  logic [1:0]  resolve_i,
  input  logic [1:0]  resolve_taken_i,
  input  logic [1:0]  resolve_mispredict_i,
  input  logic [15:0] resolve_rob_i [2],
  input  logic [63:0] resolve_target_i [2],
  input  logic [31:0] done_i,
  input  logic [15:0] done_rob_i [32],
  input  logic [15:0] head_i,
  input  logic        head_valid_i,
  input  logic [3:0]  commits_i,
  input  logic        flush_i,
  input  logic        raises_i,
  input  logic        irq_i,
  input  logic        replay_i,
  input  logic        reorders_i,
  input  logic [5:0]  cause_i,
  input  logic        squash_i,
  input  logic        all_i,
  input  logic [15:0] youngest_i
);
  function automatic rob_idx_t rob_of(input logic [15:0] place);
    rob_of = '{wrap: place[15], idx: place[RobIdxBits-2:0]};
  endfunction

  assign sizes_o = '{CoreWidth, Tags, ProfileRecords, FetchWidth, RobEntries, FetchBuffer, Wakes, Issues, MemPorts,
                     MemEvents, BranchPorts, Dones};
  assign pregs_o = 1 << PregBits;

  packet_t packet;
  dispatch_t dis;
  life_lane_t lane [CoreWidth];
  wake_t wake [Wakes];
  rob_ref_t issue [Issues], done [Dones];
  addressed_t [MemPorts-1:0] addressed;
  mem_event_t events [MemEvents];
  resolve_t resolve [BranchPorts];
  leaving_t leaving;
  instruction_sample_t sample;
  always_comb begin
    packet = '{valid: packet_i, block: block_addr_t'(block_i), slots: slots_i[FetchWidth-1:0],
               rvc: rvc_i[FetchWidth-1:0], branches: branches_i[FetchWidth-1:0], kind: '0, history: history_i};
    for (int s = 0; s < FetchWidth; s++) packet.kind[s] = cfi_e'(kind_i[s]);
    dis = '{fire: '0, count: count_t'(count_i)};
    for (int i = 0; i < CoreWidth; i++) begin
      dis.fire[i] = i < 32'(count_i);
      lane[i] = '{rob: rob_of(lane_rob_i[i]), kind: type_e'(lane_kind_i[i]), returns: lane_returns_i[i],
                  queued: lane_queued_i[i], ready1: lane_ready_i[i][0], ready2: lane_ready_i[i][1],
                  ready3: lane_ready_i[i][2], ps1: preg_t'(lane_ps_i[3*i]), ps2: preg_t'(lane_ps_i[3*i+1]),
                  ps3: preg_t'(lane_ps_i[3*i+2]), psv: psv_t'(lane_psv_i[i])};
    end
    for (int w = 0; w < Wakes; w++) wake[w] = '{valid: wake_i[w], tag: preg_t'(wake_tag_i[w])};
    for (int p = 0; p < Issues; p++) issue[p] = '{valid: issue_i[p], rob: rob_of(issue_rob_i[p])};
    for (int p = 0; p < MemPorts; p++)
      addressed[p] = '{valid: addressed_i[p], rob: rob_of(addressed_rob_i[p]), addr: addressed_addr_i[p]};
    for (int p = 0; p < MemEvents; p++)
      events[p] = '{valid: event_i[p], rob: rob_of(event_rob_i[p]), psv: psv_t'(event_psv_i[p])};
    for (int p = 0; p < BranchPorts; p++) begin
      resolve[p] = '0;
      resolve[p].valid = resolve_i[p];
      resolve[p].mispredict = resolve_mispredict_i[p];
      resolve[p].taken = resolve_taken_i[p];
      resolve[p].rob = rob_of(resolve_rob_i[p]);
      resolve[p].target = resolve_target_i[p];
    end
    for (int d = 0; d < Dones; d++) done[d] = '{valid: done_i[d], rob: rob_of(done_rob_i[d])};
    leaving = '{head: rob_of(head_i), head_valid: head_valid_i, commits: count_t'(commits_i), flush: flush_i,
                raises: raises_i, irq: irq_i, replay: replay_i, reorders: reorders_i, cause: cause_i, squash: squash_i,
                all: all_i, youngest: rob_of(youngest_i)};
    for (int w = 0; w < SampleWords; w++) word_o[w] = instruction_sample_word(sample, 4'(w));
  end

  profileme u_profileme (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i('{addr: addr_i, write: write_i, wdata: wdata_i}), .rdata_o(rdata_o),
    .hidden_i(hidden_i), .lcofi_o(lcofi_o), .take_i(take_i), .ready_o(ready_o), .sample_o(sample), .packet_i(packet),
    .priv_i(priv_e'(priv_i)), .space_i(space_i[SpaceBits-1:0]), .dis_i(dis), .lane_i(lane),
    .conflict_i(conflict_t'(conflict_i)), .wake_i(wake), .issue_i(issue), .addressed_i(addressed), .event_i(events),
    .resolve_i(resolve), .done_i(done), .leaving_i(leaving)
  );
endmodule
