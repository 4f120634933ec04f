// Commit bundle of SonicBOOM of any width, from the names that Chisel gives its signals: gen_bind.py binds it into
// BoomCore.
//
// One vector a field, bank 0 in its low bits: what is at the ROB's head row, what enters, what goes wrong. Three things
// are BOOM's own: a head row may be partly empty, and its first occupied bank is the oldest; instructions enter by
// bank, so that bank 1 may enter alone, where the bundle wants ages; and after an exception the core waits for two
// cycles and then walks the ROB back, row by row: until the walk is over what is in the ROB is dead. An ecall commits
// here and flushes: it shows as flush, not as exception.
module boom_adapter
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
#(
  parameter int unsigned Sets = 1,           // sources of events (TEA)
  localparam int unsigned W = CoreWidth,
  localparam int unsigned BankBits = W > 1 ? $clog2(W) : 0,
  localparam int unsigned Slots = (RobEntries / W) << BankBits,  // indices of its ROB: row, then bank
  localparam int unsigned IndexBits = $clog2(Slots)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // the head row
  input  logic [W-1:0]                   head_vals_i,
  input  logic                           empty_i,
  input  logic [IndexBits-1:0]           head_index_i,
  input  logic [W-1:0]                   commit_i,
  input  logic [W-1:0][39:0]             pc_i,
  input  logic [W-1:0][31:0]             insn_i,
  input  logic [W-1:0]                   rvc_i,
  input  logic [W-1:0]                   branch_i,     // is_br or is_jalr
  input  logic [W-1:0][1:0]              source_i,     // who said last where to go on: 3 is the execution unit
  input  logic [W-1:0]                   flush_i,
  // the oldest one excepts, or takes an interrupt that came with it, or is replayed
  input  logic                           throw_i,
  input  logic [63:0]                    cause_i,
  input  logic [1:0]                     state_i,      // of the ROB: 2 walks back
  input  logic                           redirect_i,
  // what enters
  input  logic [W-1:0]                   enter_i,
  input  logic [W-1:0][39:0]             enter_pc_i,
  input  logic [W-1:0][IndexBits-1:0]    enter_index_i,
  // modes, and events of instructions in flight, by ROB index
  input  logic [1:0]                     priv_i,
  input  logic                           translated_i,
  input  logic [SpaceBits-1:0]           space_i,
  input  logic [Sets-1:0]                set_i,
  input  logic [Sets-1:0][IndexBits-1:0] set_index_i,
  input  logic [Sets-1:0][PsvBits-1:0]   set_psv_i,
  output commit_bundle_t                 bundle_o
);
  localparam logic [1:0] WalksBack = 2, FromExecution = 3;
  localparam logic [63:0] Replays = 16;  // MINI_EXCEPTION_MEM_ORDERING

  function automatic logic [63:0] extended(input logic [39:0] pc);
    extended = {{24{pc[39]}}, pc};
  endfunction

  logic [1:0] gone_q;  // an exception one cycle, two cycles ago: the walk begins in the third
  logic dead;
  assign dead = gone_q != '0 || state_i == WalksBack;
  always_ff @(posedge clk_i) gone_q <= rst_ni ? {gone_q[0], throw_i && !dead} : '0;

  logic [W-1:0][IndexBits-1:0] index;
  logic [W-1:0][PsvBits-1:0] psv;
  always_comb
    for (int i = 0; i < W; i++) index[i] = (head_index_i >> BankBits << BankBits) | IndexBits'(i);
  psv_table #(.Entries(Slots), .Lanes(W), .Sets(Sets), .Bits(PsvBits)) u_psv_table (
    .clk_i(clk_i), .enter_i(enter_i), .enter_index_i(enter_index_i), .enter_psv_i('0),
    .set_i(set_i), .set_index_i(set_index_i), .set_psv_i(set_psv_i), .read_index_i(index), .psv_o(psv)
  );

  logic [LaneBits-1:0] oldest;
  always_comb begin
    oldest = '0;
    for (int i = W - 1; i >= 0; i--) if (head_vals_i[i]) oldest = LaneBits'(i);
  end

  always_comb begin
    automatic int unsigned slot;
    bundle_o = '0;
    bundle_o.rob_empty = dead || empty_i;
    bundle_o.valid = bundle_o.rob_empty ? '0 : head_vals_i;
    bundle_o.oldest = bundle_o.rob_empty ? '0 : oldest;
    bundle_o.commit = commit_i;
    bundle_o.flush = flush_i;
    bundle_o.first = '1;
    for (int i = 0; i < W; i++) begin
      bundle_o.mispredict[i] = branch_i[i] && source_i[i] == FromExecution;
      bundle_o.pc[i] = extended(pc_i[i]);
      bundle_o.insn[i] = rvc_i[i] ? {16'b0, insn_i[i][15:0]} : insn_i[i];  // above: the next instruction
      bundle_o.psv[i] = psv[i];
      bundle_o.psv[i][EvFlMb] = bundle_o.mispredict[i];
    end
    bundle_o.exception = throw_i && !dead;
    bundle_o.interrupt = cause_i[63];
    bundle_o.replay = cause_i == Replays;
    bundle_o.cause = cause_i[5:0];
    bundle_o.exception_pc = extended(pc_i[oldest]);
    bundle_o.exception_psv = psv[oldest];
    bundle_o.exception_psv[EvFlMo] = bundle_o.replay;
    bundle_o.exception_psv[EvFlEx] = !bundle_o.replay;
    bundle_o.priv = priv_i;
    bundle_o.space = translated_i ? space_i : '0;
    bundle_o.redirect = redirect_i;
    slot = 0;
    for (int i = 0; i < W; i++)
      if (enter_i[i] && !dead) begin
        bundle_o.dispatch_valid[LaneBits'(slot)] = 1'b1;
        bundle_o.dispatch_pc[LaneBits'(slot)] = extended(enter_pc_i[i]);
        slot++;
      end
  end
endmodule
