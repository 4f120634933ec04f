// ProfileMe (Dean et al., MICRO 1997): samples instructions, and records what each of them lives through, retired or
// not.
//
//   packets --> profileme_select --pick--> profileme_tag x ProfileTags --left--> records that wait --> window,
//   interrupt, take_i
//
// It watches the core and changes nothing in it: instructions are followed by their places (life_pkg), no stage carries
// a tag. Singly, each set of profile registers takes one instruction, and every record is handed on as its instruction
// leaves. In pairs (settings_i.pairs) two neighbouring sets take one pair, and both are handed on when both have left,
// the first one first. LCOFI is raised as `threshold` records wait and mpdisctl.OF is 0, which sets OF; software reads
// all records, each time acknowledging the oldest by a write to its header, and clears OF. Registers:
// docs/reference/profileme.md. S-mode sees neither addresses nor history of what M-mode has executed (hidden_i).
module profileme
  import config_pkg::*;
  import core_pkg::*;
  import csrs_pkg::*;
  import port_pkg::*;
  import dispatch_pkg::*;
  import life_pkg::*;
  import rob_pkg::*;
  import profile_pkg::*;
  import profileme_pkg::*;
  import instruction_sample_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  // software
  input  csr_req_t   req_i,
  output word_t      rdata_o,           // of req_i.addr; 0 for an address that is not here
  input  logic       hidden_i,          // the reader is not M-mode
  output logic       lcofi_o,           // pulse
  // who reads without software
  input  logic       take_i,            // the oldest record has been read
  output logic       ready_o,
  output instruction_sample_t sample_o, // while ready_o
  // the core, in pipeline order
  input  packet_t    packet_i,
  input  priv_e      priv_i,
  input  logic [SpaceBits-1:0] space_i,
  input  dispatch_t  dis_i,
  input  life_lane_t lane_i [CoreWidth],
  input  conflict_t  conflict_i,
  input  wake_t      wake_i [Wakes],
  input  rob_ref_t   issue_i [Issues],
  input  addressed_t [MemPorts-1:0] addressed_i,
  input  mem_event_t event_i [MemEvents],
  input  resolve_t   resolve_i [BranchPorts],
  input  rob_ref_t   done_i [Dones],
  input  leaving_t   leaving_i
);
  localparam logic [11:0] Record = 12'h060, More = 12'h061, Counts = 12'h062;  // selects

  // ---- software's registers: two CSRs, and what siselect selects; this module keeps its own copy ----
  /* verilator lint_off UNUSEDSIGNAL */  // what is written comes with req_i
  window_req_t window;
  /* verilator lint_on UNUSEDSIGNAL */
  word_t window_rdata, select_rdata;
  csr_window u_csr_window (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(req_i), .rdata_o(select_rdata), .window_o(window),
    .window_rdata_i(window_rdata)
  );
  word_t control_q, counter, picks, collisions, cycles;
  settings_t settings;
  logic write_control, write_counter, write_seed, of_set;
  assign write_control = req_i.write && req_i.addr == CsrMpdisctl;
  assign write_counter = req_i.write && req_i.addr == CsrSpdiscounter;
  assign write_seed = window.write && window.select == Counts && window.number == 3'd3;
  assign settings = '{mode: control_q[1:0], pairs: control_q[2] && Tags >= 2, jitter: control_q[8:4],
                      window: control_q[15:12], threshold: control_q[20:16], m: control_q[62], s: control_q[61],
                      u: control_q[60]};

  // Decoded as they are written, so that selection need not.
  logic [31:0] jitter_mask_q;
  logic [9:0] window_mask_q;
  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      jitter_mask_q <= '0;
      window_mask_q <= '0;
    end else if (write_control) begin
      jitter_mask_q <= jitter_mask(req_i.wdata[8:4]);
      window_mask_q <= window_mask(req_i.wdata[15:12]);
    end

  // ---- selection ----
  pick_t pick [2];
  logic room, pair_waits, collision;
  profileme_select u_select (
    .clk_i(clk_i), .rst_ni(rst_ni), .settings_i(settings), .jitter_mask_i(jitter_mask_q), .window_mask_i(window_mask_q),
    .write_i(write_counter), .wdata_i(req_i.wdata), .seed_i(write_seed), .counter_o(counter), .packet_i(packet_i),
    .priv_i(priv_i), .space_i(space_i), .dis_i(dis_i), .squash_i(leaving_i.squash), .cycle_i(cycles),
    .room_i(room), .pick_o(pick), .waits_o(pair_waits), .collision_o(collision)
  );

  // ---- why everything dies: ordered a cycle before ----
  outcome_e ordered_q;  // else by a branch
  always_ff @(posedge clk_i)
    ordered_q <= leaving_i.raises ? raised_by(leaving_i) : leaving_i.flush ? FLUSHED : MISPREDICTED;

  // ---- places from the head of the ROB on, found a cycle ahead: the head moves by what retires, and by nothing else
  // ----
  rob_idx_t [CoreWidth-1:0] place_q;
  always_ff @(posedge clk_i)
    for (int k = 0; k < CoreWidth; k++)
      place_q[k] <= !rst_ni ? rob_idx_t'(k) : rob_add(leaving_i.head, 32'(leaving_i.commits) + k);

  // ---- profile registers: sets 2g and 2g+1 are pair g ----
  logic [Tags-1:0] idle, full, start, clear;
  instruction_sample_t sample [Tags];
  logic [1:0] chosen, waiting_q;  // sets of the next pick, and of the pair whose second is to come
  latency_t distance_q;
  always_comb begin
    room = 1'b0;
    chosen = '0;
    for (int t = Tags - 1; t >= 0; t--)
      if (settings.pairs ? t % 2 == 0 && t + 1 < Tags && idle[t] && idle[t + 1 < Tags ? t + 1 : t] : idle[t]) begin
        room = 1'b1;
        chosen = 2'(t);
      end
  end

  always_ff @(posedge clk_i) begin
    if (pick[0].valid) waiting_q <= chosen;
    if (settings.pairs) distance_q <= pick[0].valid ? latency_t'(1) : longer(distance_q);
  end

  for (genvar t = 0; t < Tags; t++) begin : gen_tag
    localparam int unsigned Partner = (t ^ 1) < Tags ? t ^ 1 : t;
    // Whether there is a pick comes last, so it decides nothing but that: whose it would be is known before. A second
    // one that waits still comes in the cycle in which pairs have been switched off.
    logic of_pair;
    pick_t own;
    assign of_pair = t % 2 == 1 && (settings.pairs || pair_waits);
    always_comb begin
      own = of_pair ? pick[1] : pick[0];
      own.valid = of_pair ? pick[1].valid && ((pair_waits ? waiting_q : chosen) | 2'd1) == 2'(t)
                  : pick[0].valid && chosen == 2'(t);
    end
    profileme_tag #(.Number(2'(t))) u_tag (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear[t] || settings.mode == '0), .pair_i(settings.pairs), .pick_i(own),
      .distance_i(pair_waits ? distance_q : latency_t'(0)),
      .dis_i(dis_i), .lane_i(lane_i), .conflict_i(conflict_i), .wake_i(wake_i), .issue_i(issue_i),
      .addressed_i(addressed_i), .event_i(event_i), .resolve_i(resolve_i), .done_i(done_i), .leaving_i(leaving_i),
      .place_i(place_q), .outcome_i(leaving_i.all ? ordered_q : MISPREDICTED),
      .idle_o(idle[t]), .full_o(full[t]), .sample_o(sample[t])
    );
    assign start[t] = full[t] && (!settings.pairs || (t | 1) >= Tags || (t % 2 == 1 ? idle[Partner] : full[Partner]));
  end

  // ---- records that wait ----
  localparam int unsigned TagBits = Tags > 1 ? $clog2(Tags) : 1;
  localparam int unsigned PlaceBits = ProfileRecords > 1 ? $clog2(ProfileRecords) : 1;
  typedef logic [PlaceBits-1:0] place_t;
  instruction_sample_t record [ProfileRecords];
  place_t head_q, tail_q;
  logic [4:0] count_q;
  logic takes, goes;
  logic [TagBits-1:0] from;
  function automatic place_t next_place(input place_t place);
    next_place = 32'(place) == ProfileRecords - 1 ? '0 : place + place_t'(1);
  endfunction

  assign ready_o = count_q != '0;
  assign takes = ready_o && (take_i || (window.write && window.select == Record && window.number == 3'd1));
  always_comb begin
    goes = 1'b0;
    from = '0;
    clear = '0;
    for (int t = Tags - 1; t >= 0; t--)
      if (start[t]) begin
        goes = count_q < 5'(ProfileRecords);
        from = TagBits'(t);
      end
    if (settings.pairs)  // a pair stays together
      for (int t = 1; t < Tags; t += 2) if (start[t]) from = TagBits'(t);
    if (goes) for (int t = 0; t < Tags; t++) clear[t] = from == TagBits'(t);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
    end else begin
      if (takes) head_q <= next_place(head_q);
      if (goes) tail_q <= next_place(tail_q);
      count_q <= count_q + 5'(goes) - 5'(takes);
    end
    if (goes) record[tail_q] <= sample[from];  // but for the collisions, which are counted here
  end
  always_comb begin
    sample_o = '0;
    if (ready_o) begin
      sample_o = record[head_q];
      sample_o.collisions = collisions[31:0];
    end
  end

  // ---- counts ----
  wide_counter u_picks (.clk_i(clk_i), .rst_ni(rst_ni), .add_i(2'(pick[0].valid) + 2'(pick[1].valid)), .count_o(picks));
  wide_counter u_collisions (.clk_i(clk_i), .rst_ni(rst_ni), .add_i(2'(collision)), .count_o(collisions));
  wide_counter u_cycles (.clk_i(clk_i), .rst_ni(rst_ni), .add_i(2'd1), .count_o(cycles));

  // ---- interrupt ----
  assign of_set = ready_o && count_q >= (settings.threshold == '0 ? 5'd1 : settings.threshold > 5'(ProfileRecords)
                                         ? 5'(ProfileRecords) : settings.threshold) && !control_q[63];
  assign lcofi_o = of_set;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      control_q <= CsrMpdisctlReset;
    end else begin
      if (write_control) control_q <= req_i.wdata & CsrMpdisctlMask;
      else if (of_set) control_q[63] <= 1'b1;
    end
  end

  // ---- reads: guarded, so that a simulator does not assemble words that nobody reads ----
  function automatic word_t record_word(input logic [11:0] select, input logic [2:0] number, input logic hide);
    instruction_sample_t shown;
    shown = sample_o;
    if (hide && shown.mode == PRIV_M) begin
      shown.pc = '0;
      shown.address = '0;
      shown.history = '0;
    end
    record_word = instruction_sample_word(shown, (select == More ? 4'd6 : 4'd0) + 4'(number) - 4'd1);
  endfunction

  function automatic word_t read_window(input logic [11:0] select, input logic [2:0] number, input logic hide);
    read_window = '0;
    if (select == Record || select == More) begin
      if (ready_o) read_window = record_word(select, number, hide);
    end else if (select == Counts) begin
      case (number)
        3'd1: read_window = picks;
        3'd2: read_window = collisions;
        3'd4: read_window = 64'(count_q);
        default: ;
      endcase
    end
  endfunction

  function automatic word_t read_csr(input logic [11:0] addr);
    case (addr)
      CsrMpdisctl: read_csr = control_q;
      CsrSpdiscounter: read_csr = counter;
      default: read_csr = '0;
    endcase
  endfunction

  always_comb begin
    window_rdata = '0;
    if (window.number != '0 && window.select[11:2] == Record[11:2])
      window_rdata = read_window(window.select, window.number, hidden_i);
  end
  always_comb begin
    rdata_o = select_rdata;
    if (csr_in_profileme(req_i.addr)) rdata_o = read_csr(req_i.addr);
  end

  `include "assert.svh"
  // Two sets never follow one instruction, and all picks of a cycle find a set.
  for (genvar t = 0; t < Tags; t++) begin : gen_apart
    for (genvar u = 0; u < t; u++) begin : gen_other
      `ASSERT(MappedApart, !(gen_tag[t].u_tag.mapped && gen_tag[u].u_tag.mapped) ||
              gen_tag[t].u_tag.rob_q != gen_tag[u].u_tag.rob_q)
      `ASSERT(FetchedApart, !(gen_tag[t].u_tag.state_q == 3'd1 && gen_tag[u].u_tag.state_q == 3'd1) ||
              gen_tag[t].u_tag.at_q.ahead != gen_tag[u].u_tag.at_q.ahead)
    end
  end
  logic [Tags-1:0] given;
  for (genvar t = 0; t < Tags; t++) begin : gen_picked
    assign given[t] = gen_tag[t].own.valid;
  end
  `ASSERT(MasksAreThoseOfSettings, jitter_mask_q == jitter_mask(settings.jitter) &&
          window_mask_q == window_mask(settings.window))
  `ASSERT(HeadMovesByCommits, place_q[0] == leaving_i.head)
  `ASSERT(PicksAreTaken, $countones(given) == 32'(pick[0].valid) + 32'(pick[1].valid))
  `ASSERT(RoomForRecords, 32'(count_q) <= ProfileRecords)
endmodule
