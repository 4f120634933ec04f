// Control transfer records (Smctr, Ssctr): the last transfers of control that have retired, and their control
// registers.
//
// They stand in a ring that software reads by siselect 0x200 on (docs/reference/ctr.md):
//
//   bundle -> ctr_transfers -> qualified by mctrctl? -register-> the ring (or its top entry goes, in call-stack mode)
//
// Latency: a transfer is in the ring two cycles after its successor has come to the head of the ROB, and so before that
// leaves. Several in a cycle are recorded in the order of the program. What a write changes holds from the next cycle
// on; a write to the ring, its pointer or FROZEN goes before what the same cycle records.
// Invariant: what is not live reads 0, whatever the ring's memory holds: sctrclr clears a bit an entry, and no memory.
// Depth 0: there are no such registers, and nothing is left of this module.
module ctr
  import config_pkg::*;
  import records_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
  import ctr_pkg::*;
#(
  parameter int unsigned Depth = CtrDepth,  // 0, or 16 to 256
  parameter bit Clears = 1'b1               // sctrclr does; else it is the program's, and these records are not
) (
  /* verilator lint_off UNUSEDSIGNAL */  // Depth 0 reads nothing; of the others it takes its part
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  csr_req_t       req_i,
  output word_t          rdata_o,   // of req_i.addr; 0 for an address that is not here
  input  window_req_t    window_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output word_t          window_rdata_o
);
  localparam int unsigned Entries = Depth == 0 ? 16 : Depth, IndexBits = $clog2(Entries);
  localparam logic [5:0] IrqLcofi = 13, Breakpoint = 3;  // codes of mcause
  typedef logic [IndexBits-1:0] index_t;
  typedef struct packed {
    logic [3:0]  kind;
    logic        counted;  // CCV
    logic [15:0] cycles;
  } data_t;

  /* verilator lint_off UNUSEDSIGNAL */  // bits that are read-only 0
  control_t control_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [2:0] depth_q;    // sctrdepth
  index_t write_q, mask;  // WRPTR; the valid indices
  logic frozen_q;
  logic [Entries-1:0] live_q, valid_q;
  logic [62:0] source_q [Entries], target_q [Entries];  // addresses without bit 0
  logic mispredict_q [Entries];
  data_t data_q [Entries];

  // ---- reads; functions, because sim/harness_unit.sv calls them between two cycles, too ----
  // Physical entry of a logical one: 0 is the youngest.
  function automatic index_t entry_of(input index_t logical);
    entry_of = (write_q - logical - index_t'(1)) & mask;
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */  // takes the address of it
  function automatic logic is_entry(input window_req_t req);
  /* verilator lint_on UNUSEDSIGNAL */
    is_entry = Depth != 0 && req.number != '0 && !req.machine && req.select[11:8] == 4'd2 &&
               32'(req.select[7:0]) < (32'd16 << depth_q);
  endfunction

  function automatic word_t window_read(input window_req_t req);
    index_t entry;
    entry = entry_of(req.select[IndexBits-1:0]);
    window_read = '0;
    if (is_entry(req) && live_q[entry]) begin
      case (req.number)
        3'd1: window_read = {source_q[entry], valid_q[entry]};
        3'd2: window_read = {target_q[entry], mispredict_q[entry]};
        3'd3: window_read = {32'd0, data_q[entry].cycles, data_q[entry].counted, 11'd0, data_q[entry].kind};
        default: ;
      endcase
    end
  endfunction

  function automatic word_t read(input logic [11:0] addr);
    read = '0;
    if (Depth != 0) begin
      case (addr)
        CsrMctrctl: read = {16'd0, control_q};
        CsrSctrctl: read = {16'd0, control_q} & CsrSctrctlMask;
        CsrSctrstatus: read = {32'd0, frozen_q, 31'(write_q)};
        CsrSctrdepth: read = 64'(depth_q);
        default: ;
      endcase
    end
  endfunction

  if (Depth != 0) begin : gen_ctr
    always_comb begin
      rdata_o = '0;
      if (csr_in_ctr(req_i.addr)) rdata_o = read(req_i.addr);
    end
    always_comb begin
      window_rdata_o = '0;
      if (window_i.number != '0) window_rdata_o = window_read(window_i);
    end

    // ---- what happens in this cycle ----
    transfer_t transfer [CoreWidth+1];
    word_t pc [CoreWidth];  // by age
    logic any, waits, active, freezes;
    ctr_transfers #(.Clears(Clears)) u_transfers (
      .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .control_i(control_q), .transfer_o(transfer), .pc_o(pc),
      .any_o(any), .waits_o(waits)
    );
    assign active = is_enabled(control_q.modes, bundle_i.priv) && !frozen_q;
    assign freezes = bundle_i.exception && !bundle_i.replay &&
                     (bundle_i.interrupt ? control_q.lcofifrz && bundle_i.cause == IrqLcofi
                      : control_q.bpfrz && bundle_i.cause == Breakpoint);

    // ---- what is recorded, in the cycle of the transfer: of each of them, in their order ----
    typedef struct packed {
      logic puts;     // a record is entered
      logic drops;    // an entry is only made invalid
      index_t place;  // of that, from the pointer on
      logic counts;   // cycles are counted from it on
      logic known;    // those since the last record are: there is one in this cycle
      logic unknown;  // they are not: all have been cleared in this cycle
      logic newer;    // further ones of this cycle, but for the one that has waited, have been recorded before it
      logic newest;   // ... that one has
      logic hide_source, hide_target, mispredict;
      logic [3:0] kind;
    } step_t;
    step_t [CoreWidth:0] step, step_q;
    index_t moves, moves_q;  // steps of the pointer
    logic clears, clears_q, any_q, waits_q, active_q, known, known_q, unknown, newer, newest;
    always_comb begin
      automatic qualified_t is = '0;
      step = '0;
      clears = 1'b0;
      known = 1'b0;
      unknown = 1'b0;
      newer = 1'b0;
      newest = 1'b0;
      moves = '0;
      for (int i = 0; i <= CoreWidth; i++) begin
        if (transfer[i].valid && transfer[i].clear) begin
          for (int older = 0; older < i; older++) begin
            step[older].puts = 1'b0;
            step[older].drops = 1'b0;
          end
          clears = 1'b1;
          known = 1'b0;
          unknown = 1'b1;
        end else if (transfer[i].valid && !frozen_q) begin
          is = transfer[i].is;
          step[i] = '{puts: is.record, drops: 1'b0, place: moves, counts: is.record, known: known, unknown: unknown,
                      newer: newer, newest: newest, hide_source: is.hide_source, hide_target: is.hide_target,
                      mispredict: transfer[i].mispredict, kind: transfer[i].kind};
          if (control_q.rasemu) begin
            // The cycles since what is left of the stack are nobody's: CCV is 0.
            step[i].puts = is.record && transfer[i].kind != TypeReturn;
            step[i].drops = is.record && transfer[i].kind == TypeReturn;
            step[i].counts = 1'b0;
            if (transfer[i].kind == TypeReturn || transfer[i].kind == TypeSwap) step[i].place = moves - index_t'(1);
            if (step[i].drops) moves = moves - index_t'(1);
            else if (is.record && transfer[i].kind != TypeSwap) moves = moves + index_t'(1);
          end else if (is.record) begin
            moves = moves + index_t'(1);
            known = 1'b1;
            if (i == 0) newest = 1'b1;
            else newer = 1'b1;
          end
        end
      end
    end

    // The successor of a lane's transfer is in the next lane; that of the one that has waited, in the oldest.
    logic [62:0] pc_q [CoreWidth], waited_q;
    always_ff @(posedge clk_i) begin
      any_q <= rst_ni && any;
      if (any) begin
        step_q <= step;
        clears_q <= clears;
        known_q <= known;
        moves_q <= moves;
        waited_q <= transfer[0].source[63:1];
        for (int k = 0; k < CoreWidth; k++) pc_q[k] <= pc[k][63:1];
      end
      waits_q <= rst_ni && waits;
      active_q <= rst_ni && active;
    end

    // ---- ... and in the next one, where ----
    index_t entry [CoreWidth+1];
    data_t data [CoreWidth+1];
    logic counted, counted_q;  // the cycles since the last record are known; else they do not matter
    index_t write;
    cycles_t cycles, cycles_q;              // active ones since the last record
    cycles_t late, late_q, behind, behind_q;  // those until the transfer that waits; those since then

    function automatic cycles_t one_more(input cycles_t count, input logic counts);
      one_more = counts && count != '1 ? count + cycles_t'(1) : count;
    endfunction

    always_comb begin
      counted = counted_q;
      write = write_q;
      cycles = cycles_q;
      for (int i = 0; i <= CoreWidth; i++) begin
        entry[i] = (write_q + step_q[i].place) & mask;
        data[i] = '0;
      end
      if (any_q) begin
        counted = known_q || (counted_q && !clears_q);
        write = (write_q + moves_q) & mask;
        for (int i = 0; i <= CoreWidth; i++) begin
          data[i].kind = step_q[i].kind;
          if (step_q[i].counts) begin
            data[i].counted = step_q[i].known || (counted_q && !step_q[i].unknown);
            if (data[i].counted && !step_q[i].newer)
              data[i].cycles = i == 0 ? cycle_count(late_q) : cycle_count(step_q[i].newest ? behind_q : cycles_q);
            cycles = i == 0 ? behind_q : '0;
          end
        end
      end
      late = late_q;
      behind = behind_q;
      if (waits_q) begin
        late = cycles;
        behind = '0;
      end
    end

    // ---- registers ----
    logic write_control, writes_entry;
    index_t written;
    assign write_control = req_i.write && (req_i.addr == CsrMctrctl || req_i.addr == CsrSctrctl);
    assign writes_entry = window_i.write && is_entry(window_i);
    assign written = entry_of(window_i.select[IndexBits-1:0]);
    assign mask = index_t'((32'd16 << depth_q) - 32'd1);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        control_q <= '0;
        depth_q <= '0;
        write_q <= '0;
        frozen_q <= 1'b0;
        live_q <= '0;
        valid_q <= '0;
        counted_q <= 1'b0;
        cycles_q <= '0;
      end else begin
        if (any_q) begin
          write_q <= write;
          counted_q <= counted;
          if (clears_q) begin
            live_q <= '0;
            valid_q <= '0;
          end
          for (int i = 0; i <= CoreWidth; i++) begin
            if (step_q[i].puts) live_q[entry[i]] <= 1'b1;
            if (step_q[i].puts || step_q[i].drops) valid_q[entry[i]] <= step_q[i].puts;
          end
        end
        if (any_q || active_q) cycles_q <= one_more(cycles, active_q);
        if (freezes) frozen_q <= 1'b1;
        if (writes_entry) begin
          live_q[written] <= 1'b1;
          if (window_i.number == 3'd1) valid_q[written] <= window_i.wdata[0];
        end
        if (req_i.write) begin
          case (req_i.addr)
            CsrMctrctl: control_q <= control_t'(req_i.wdata & CsrMctrctlMask);
            CsrSctrctl: control_q <= control_t'(({16'd0, control_q} & ~CsrSctrctlMask) |
                                                (req_i.wdata & CsrSctrctlMask));
            CsrSctrstatus: begin
              write_q <= index_t'(req_i.wdata[7:0]) & mask;
              frozen_q <= req_i.wdata[31];
            end
            CsrSctrdepth:
              if ((32'd16 << req_i.wdata[2:0]) <= Depth) begin
                depth_q <= req_i.wdata[2:0];
                write_q <= write_q & index_t'((32'd16 << req_i.wdata[2:0]) - 32'd1);
              end
            default: ;
          endcase
          if (write_control) counted_q <= 1'b0;
        end
      end
      if (waits_q || active_q) begin
        late_q <= late;
        behind_q <= one_more(behind, active_q);
      end
      if (any_q) begin
        for (int i = 0; i <= CoreWidth; i++) begin
          if (step_q[i].puts) begin
            source_q[entry[i]] <= step_q[i].hide_source ? '0 : i == 0 ? waited_q : pc_q[i == 0 ? 0 : i - 1];
            target_q[entry[i]] <= step_q[i].hide_target ? '0 : pc_q[i % CoreWidth];
            mispredict_q[entry[i]] <= step_q[i].mispredict;
            data_q[entry[i]] <= data[i];
          end
        end
      end
      // An entry that is not live is all 0 but for what is written.
      if (writes_entry) begin
        if (window_i.number == 3'd1 || !live_q[written])
          source_q[written] <= window_i.number == 3'd1 ? window_i.wdata[63:1] : '0;
        if (window_i.number == 3'd2 || !live_q[written]) begin
          target_q[written] <= window_i.number == 3'd2 ? window_i.wdata[63:1] : '0;
          mispredict_q[written] <= window_i.number == 3'd2 && window_i.wdata[0];
        end
        if (window_i.number == 3'd3 || !live_q[written]) begin
          data_q[written] <= window_i.number == 3'd3 ? '{kind: window_i.wdata[3:0], counted: window_i.wdata[15],
                                                         cycles: window_i.wdata[31:16]} : '0;
        end
      end
    end
  end else begin : gen_none
    assign rdata_o = '0;
    assign window_rdata_o = '0;
    assign control_q = '0;
    assign depth_q = '0;
    assign write_q = '0;
    assign mask = '0;
    assign frozen_q = 1'b0;
    assign live_q = '0;
    assign valid_q = '0;
    for (genvar i = 0; i < Entries; i++) begin : gen_entry
      assign source_q[i] = '0;
      assign target_q[i] = '0;
      assign mispredict_q[i] = 1'b0;
      assign data_q[i] = '0;
    end
  end

  `include "assert.svh"
  `ASSERT(ValidIsLive, (valid_q & ~live_q) == '0)
  `ASSERT(PointerFits, (write_q & ~mask) == '0)
endmodule
