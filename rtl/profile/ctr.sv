// Control transfer records (Smctr, Ssctr): the last transfers of control that have retired, and their control registers.
//
// They stand in a ring that software reads by siselect 0x200 on (docs/ctr.md):
//
//   bundle -> ctr_transfers -> qualified by mctrctl? -> the ring (or its top entry goes, in call-stack mode)
//
// Latency: a transfer is in the ring one cycle after its successor has come to the head of the ROB, and so before that leaves.
// Several in a cycle are recorded in the order of the program. What a write changes holds from the next cycle on; a write to the
// ring, its pointer or FROZEN goes before what the same cycle records.
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
  index_t write_q, mask;  // WRPTR; the indices that there are
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
    is_entry = Depth != 0 && req.number != '0 && !req.machine && req.select[11:8] == 4'd2 && 32'(req.select[7:0]) < (32'd16 << depth_q);
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
    logic on, any, waits, active, freezes;
    assign on = control_q.modes != '0;
    ctr_transfers #(.Clears(Clears)) u_transfers (
      .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .on_i(on), .transfer_o(transfer), .any_o(any), .waits_o(waits)
    );
    assign active = is_enabled(control_q.modes, bundle_i.priv) && !frozen_q;
    assign freezes = bundle_i.exception && !bundle_i.replay &&
                     (bundle_i.interrupt ? control_q.lcofifrz && bundle_i.cause == IrqLcofi : control_q.bpfrz && bundle_i.cause == Breakpoint);

    // ---- what is recorded ----
    typedef struct packed {
      logic   puts;   // a record is entered
      logic   drops;  // an entry is only made invalid
      index_t entry;
      data_t  data;
      logic   hide_source, hide_target;
    } change_t;
    change_t change [CoreWidth+1];
    logic clear, counted, counted_q;  // counted: the cycles since the last record are known; else they do not matter
    index_t write;
    cycles_t cycles, cycles_q;              // active ones since the last record
    cycles_t late, late_q, behind, behind_q;  // those until the transfer that waits; those since then

    function automatic cycles_t one_more(input cycles_t count, input logic counts);
      one_more = counts && count != '1 ? count + cycles_t'(1) : count;
    endfunction

    always_comb begin
      automatic qualified_t is = '0;
      clear = 1'b0;
      counted = counted_q;
      write = write_q;
      cycles = cycles_q;
      for (int i = 0; i <= CoreWidth; i++) change[i] = '0;
      if (any) begin
        for (int i = 0; i <= CoreWidth; i++) begin
          if (transfer[i].valid && transfer[i].clear) begin
            for (int older = 0; older < i; older++) begin
              change[older].puts = 1'b0;
              change[older].drops = 1'b0;
            end
            clear = 1'b1;
            counted = 1'b0;
          end else if (transfer[i].valid && !frozen_q) begin
            is = qualify(control_q, transfer[i]);
            change[i].entry = write;
            change[i].hide_source = is.hide_source;
            change[i].hide_target = is.hide_target;
            change[i].data.kind = transfer[i].kind;
            if (is.record && control_q.rasemu) begin
              // The cycles since what is left of the stack are nobody's: CCV is 0.
              change[i].puts = transfer[i].kind != TypeReturn;
              change[i].drops = transfer[i].kind == TypeReturn;
              if (transfer[i].kind == TypeReturn || transfer[i].kind == TypeSwap) change[i].entry = (write - index_t'(1)) & mask;
              if (transfer[i].kind == TypeReturn) write = change[i].entry;
              else if (transfer[i].kind != TypeSwap) write = (write + index_t'(1)) & mask;
            end else if (is.record) begin
              change[i].puts = 1'b1;
              change[i].data.counted = counted;
              if (counted) change[i].data.cycles = cycle_count(i == 0 ? late_q : cycles);
              counted = 1'b1;
              cycles = i == 0 ? behind_q : '0;
              write = (write + index_t'(1)) & mask;
            end
          end
        end
      end
      late = late_q;
      behind = behind_q;
      if (waits) begin
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
        if (any) begin
          write_q <= write;
          counted_q <= counted;
          if (clear) begin
            live_q <= '0;
            valid_q <= '0;
          end
          for (int i = 0; i <= CoreWidth; i++) begin
            if (change[i].puts) live_q[change[i].entry] <= 1'b1;
            if (change[i].puts || change[i].drops) valid_q[change[i].entry] <= change[i].puts;
          end
        end
        if (any || active) cycles_q <= one_more(cycles, active);
        if (freezes) frozen_q <= 1'b1;
        if (writes_entry) begin
          live_q[written] <= 1'b1;
          if (window_i.number == 3'd1) valid_q[written] <= window_i.wdata[0];
        end
        if (req_i.write) begin
          case (req_i.addr)
            CsrMctrctl: control_q <= control_t'(req_i.wdata & CsrMctrctlMask);
            CsrSctrctl: control_q <= control_t'(({16'd0, control_q} & ~CsrSctrctlMask) | (req_i.wdata & CsrSctrctlMask));
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
      if (waits || active) begin
        late_q <= late;
        behind_q <= one_more(behind, active);
      end
      if (any) begin
        for (int i = 0; i <= CoreWidth; i++) begin
          if (change[i].puts) begin
            source_q[change[i].entry] <= change[i].hide_source ? '0 : transfer[i].source[63:1];
            target_q[change[i].entry] <= change[i].hide_target ? '0 : transfer[i].target[63:1];
            mispredict_q[change[i].entry] <= transfer[i].mispredict;
            data_q[change[i].entry] <= change[i].data;
          end
        end
      end
      // An entry that is not live is all 0 but for what is written.
      if (writes_entry) begin
        if (window_i.number == 3'd1 || !live_q[written]) source_q[written] <= window_i.number == 3'd1 ? window_i.wdata[63:1] : '0;
        if (window_i.number == 3'd2 || !live_q[written]) begin
          target_q[written] <= window_i.number == 3'd2 ? window_i.wdata[63:1] : '0;
          mispredict_q[written] <= window_i.number == 3'd2 && window_i.wdata[0];
        end
        if (window_i.number == 3'd3 || !live_q[written]) begin
          data_q[written] <= window_i.number == 3'd3 ? '{kind: window_i.wdata[3:0], counted: window_i.wdata[15], cycles: window_i.wdata[31:16]} : '0;
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
