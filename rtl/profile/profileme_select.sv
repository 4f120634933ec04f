// Which instruction ProfileMe samples: counts what is fetched on the predicted path, down to the one to pick.
//
//   packet --register--> count, compare --> pick_o[0]  the instruction at zero of the major interval
//                            '------------> pick_o[1]  of a pair: the one that many behind it (minor interval)
//
// Latency: a pick is of the packet of the cycle before. Mode 1 counts instructions; mode 2 counts FetchWidth opportunities in
// every cycle, whether they hold an instruction or not (ProfileMe, MICRO 1997, section 4.1.1). Each major interval is
// the programmed one with its lowest `jitter` bits drawn anew; MinPeriod at least, so that it is never shorter than a packet.
// A minor one is uniform in 1 .. 2^window. One that finds no profile registers
// (room_i), or comes before the second of the pair before it, is a collision, and goes by.
module profileme_select
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import dispatch_pkg::*;
  import life_pkg::*;
  import profile_pkg::*;
  import profileme_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  settings_t   settings_i,
  input  logic        write_i,         // of spdiscounter
  input  word_t       wdata_i,
  input  logic        seed_i,          // of the random numbers
  output word_t       counter_o,       // spdiscounter: interval and count
  // the front end
  input  packet_t     packet_i,
  input  priv_e       priv_i,
  input  logic [SpaceBits-1:0] space_i,
  input  dispatch_t   dis_i,
  input  logic        squash_i,        // everything before map dies
  input  word_t       cycle_i,
  // picks
  input  logic        room_i,          // for one, or for a pair
  output pick_t       pick_o [2],
  output logic        collision_o
);
  typedef logic [$clog2(FetchWidth+1)-1:0] some_t;  // 0..FetchWidth
  localparam logic [31:0] Shortest = 32'(MinPeriod);

  // ---- a packet, a cycle late ----
  packet_t packet_q;
  priv_e priv_q;
  logic [SpaceBits-1:0] space_q;
  ahead_t ahead_q, behind_q;  // instructions before map; those ahead of the packet
  word_t cycle_q;
  logic on_q;                 // it is of interest
  some_t pushed;

  function automatic some_t ones(input slots_t slots);
    ones = '0;
    for (int s = 0; s < FetchWidth; s++) ones = ones + some_t'(slots[s]);
  endfunction

  logic on;
  assign on = settings_i.mode != '0;
  assign pushed = packet_i.valid ? ones(packet_i.slots) : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || squash_i) ahead_q <= '0;
    else ahead_q <= ahead_q + ahead_t'(pushed) - ahead_t'(dis_i.count);
    on_q <= rst_ni && on;
    packet_q.valid <= rst_ni && on && packet_i.valid;
    behind_q <= ahead_q - ahead_t'(dis_i.count);
    if (on) begin
      if (packet_i.valid) begin
        packet_q.block <= packet_i.block;
        packet_q.slots <= packet_i.slots;
        packet_q.rvc <= packet_i.rvc;
        packet_q.branches <= packet_i.branches;
        packet_q.kind <= packet_i.kind;
        packet_q.history <= packet_i.history;
      end
      priv_q <= priv_i;
      space_q <= space_i;
      cycle_q <= cycle_i;
    end
  end

  // ---- intervals ----
  logic hit;              // the count is at zero in this packet
  logic [31:0] interval_q, count_q, random, drawn, next;
  logic [10:0] minor_q;   // instructions up to the second of a pair
  logic waits_q;          // ... it is to come
  lfsr #(.Ahead(1)) u_lfsr (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_valid_i(seed_i), .seed_i(wdata_i[31:0]), .step_i(on), .value_o(random),
    /* verilator lint_off PINCONNECTEMPTY */  // a number a cycle is enough
    .ahead_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  always_comb begin
    drawn = interval_q;
    if (hit) for (int b = 0; b < 32; b++) if (b < 32'(settings_i.jitter)) drawn[b] = random[b];
  end
  assign next = drawn[31:4] == '0 ? Shortest : drawn;

  logic [10:0] minor;     // 1 .. 2^window, from the upper end of the random number
  always_comb begin
    minor = '0;
    if (hit) for (int b = 0; b < 10; b++) minor[b] = b < 32'(settings_i.window) && random[31-b];
    minor = minor + 11'd1;
  end

  // ---- count ----
  logic counts, first, second, same;
  some_t amount, rest;
  some_t at_first, at_second;  // 1 .. FetchWidth: which of those counted now
  always_comb
    case (priv_q)
      PRIV_M: counts = on && on_q && !settings_i.m;
      PRIV_S: counts = on && on_q && !settings_i.s;
      default: counts = on && on_q && !settings_i.u;
    endcase
  assign amount = !counts ? '0 : settings_i.mode[1] ? some_t'(FetchWidth) : packet_q.valid ? ones(packet_q.slots) : '0;
  assign hit = count_q != '0 && 32'(amount) >= count_q;
  assign first = hit && room_i && !waits_q;
  assign at_first = some_t'(count_q);
  assign rest = amount - at_first;                                  // behind the first
  assign same = first && settings_i.pairs && 11'(rest) >= minor; // the second is of the same packet
  assign second = same || (waits_q && 11'(amount) >= minor_q);
  assign at_second = same ? at_first + some_t'(minor) : some_t'(minor_q);
  assign collision_o = hit && !first;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      interval_q <= '0;
      count_q <= '0;
      waits_q <= 1'b0;
    end else if (write_i) begin
      interval_q <= wdata_i[63:32];
      count_q <= wdata_i[31:0];
    end else if (hit) begin
      count_q <= interval_q == '0 ? '0 : next - 32'(rest);
    end else begin
      count_q <= count_q - 32'(amount);
    end
    if (rst_ni) waits_q <= on && settings_i.pairs && ((first && !same) || (waits_q && !second));
    minor_q <= first ? minor - 11'(rest) : minor_q - 11'(amount);
  end
  assign counter_o = {interval_q, count_q};

  // ---- which one it is ----
  function automatic pick_t picked(input some_t number);
    slot_t slot;
    some_t n;
    logic found;
    picked = '{valid: 1'b0, opportunity: '0, second: 1'b0, pc: '0, cycle: cycle_q, ahead: '0, kind: CFI_NONE, history: '0, priv: priv_q, space: space_q};
    slot = '0;
    n = '0;
    found = 1'b0;
    for (int s = 0; s < FetchWidth; s++) begin
      if (!found && settings_i.mode[1]) begin
        found = number == some_t'(s + 1);
        slot = slot_t'(s);
      end else if (!found && packet_q.slots[s]) begin
        n = n + some_t'(1);
        found = n == number;
        slot = slot_t'(s);
      end
    end
    if (settings_i.mode[1] && !packet_q.valid) picked.opportunity = 2'd2;
    else if (settings_i.mode[1] && !packet_q.slots[slot]) picked.opportunity = 2'd1;
    else begin
      picked.pc = {packet_q.block, slot, 1'b0} - (packet_q.rvc[slot] ? 64'd0 : 64'd2);
      picked.ahead = behind_q + ahead_t'(ones(packet_q.slots & slots_t'((1 << slot) - 1)));
      picked.kind = packet_q.kind[slot];
      picked.history = directions_push(packet_q.history, packet_q.branches & slots_t'((1 << slot) - 1), 1'b0);
    end
  endfunction

  always_comb begin
    pick_o[0] = '0;
    pick_o[1] = '0;
    if (first) begin
      pick_o[0] = picked(at_first);
      pick_o[0].valid = 1'b1;
    end
    if (second) begin
      pick_o[1] = picked(at_second);
      pick_o[1].valid = 1'b1;
      pick_o[1].second = 1'b1;
    end
  end
endmodule
