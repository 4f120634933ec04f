// pmpcfg and pmpaddr, and the regions of memory that they say.
//
// The grain is a page, so of pmpaddr bits 53:9 are kept: bit 9 distinguishes a NAPOT region of one page from larger
// ones and reads 0 in the other modes. Entries from PmpEntries on read 0. A locked entry keeps what it has until reset,
// and so does the address below a locked TOR entry, which is its base.
// Latency: a write takes effect at the end of its cycle, in regions_o a cycle later (nothing is in flight then: the
// write flushes the pipeline).
module pmp_regs
  import config_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [11:0] addr_i,
  input  logic write_i,
  input  word_t wdata_i,
  output logic hit_o,                   // addr_i is one of these
  output word_t rdata_o,
  output word_t written_o,              // what it holds after the write
  output pmp_region_t regions_o [PmpRegions]
);
  localparam int unsigned All = 16;     // that have a CSR
  localparam logic [1:0] Off = 2'd0, Tor = 2'd1, Na4 = 2'd2, Napot = 2'd3;

  typedef struct packed {
    logic l;
    logic [1:0] a;
    logic x, w, r;
  } cfg_t;
  typedef logic [44:0] addr_t;          // bits 53:9

  logic is_cfg, is_addr, upper;
  logic [3:0] entry;                    // of a pmpaddr
  assign is_cfg = addr_i == CsrPmpcfg0 || addr_i == CsrPmpcfg2;
  assign upper = addr_i == CsrPmpcfg2;
  assign is_addr = addr_i[11:4] == CsrPmpaddr0[11:4];
  assign entry = addr_i[3:0];
  assign hit_o = is_cfg || is_addr;

  function automatic logic [7:0] cfg_byte(input cfg_t cfg);
    cfg_byte = {cfg.l, 2'b00, cfg.a, cfg.x, cfg.w, cfg.r};
  endfunction
  // With a grain above 4 bytes there is no NA4; W without R is reserved.
  /* verilator lint_off UNUSEDSIGNAL */  // bits 6:5 are no field
  function automatic cfg_t legal(input logic [7:0] value);
  /* verilator lint_on UNUSEDSIGNAL */
    legal.l = value[7];
    legal.a = value[4:3] == Na4 ? Off : value[4:3];
    legal.x = value[2];
    legal.w = value[1] && value[0];
    legal.r = value[0];
  endfunction
  function automatic word_t addr_word(input addr_t addr, input logic [1:0] mode);
    addr_word = {10'd0, addr, 9'd0};
    if (mode == Napot) addr_word[8:0] = '1;
    else addr_word[9] = 1'b0;
  endfunction

  // As CSRs, by entry: entries that do not exist are zero.
  cfg_t cfg [All], new_cfg [All];
  addr_t addr [All];
  logic [All-1:0] frozen;               // the address is: what is written has no effect

  for (genvar i = 0; i < All; i++) begin : gen_entry
    if (i < PmpEntries) begin : gen_present
      cfg_t cfg_q;
      addr_t addr_q;
      if (i + 1 < PmpEntries) begin : gen_base
        assign frozen[i] = cfg_q.l || (cfg[i+1].l && cfg[i+1].a == Tor);
      end else begin : gen_last
        assign frozen[i] = cfg_q.l;
      end
      assign cfg[i] = cfg_q;
      assign addr[i] = addr_q;
      assign new_cfg[i] = cfg_q.l ? cfg_q : legal(wdata_i[8*(i%8) +: 8]);

      always_ff @(posedge clk_i)
        if (!rst_ni) begin
          cfg_q <= '0;
          addr_q <= '0;
        end else if (write_i) begin
          if (is_cfg && upper == (i >= 8)) cfg_q <= new_cfg[i];
          if (is_addr && entry == 4'(i) && !frozen[i]) addr_q <= wdata_i[53:9];
        end
    end else begin : gen_absent
      assign frozen[i] = 1'b1;
      assign cfg[i] = '0;
      assign new_cfg[i] = '0;
      assign addr[i] = '0;
    end
  end

  always_comb begin
    rdata_o = '0;
    written_o = '0;
    if (is_cfg)
      for (int i = 0; i < 8; i++) begin
        rdata_o[8*i +: 8] = cfg_byte(upper ? cfg[8+i] : cfg[i]);
        written_o[8*i +: 8] = cfg_byte(upper ? new_cfg[8+i] : new_cfg[i]);
      end
    if (is_addr) begin
      rdata_o = addr_word(addr[entry], cfg[entry].a);
      written_o = frozen[entry] ? rdata_o : addr_word(wdata_i[53:9], cfg[entry].a);
    end
  end

  // ---- regions ----
  // NAPOT: from the lowest 0 of the address down, bits count within the region.
  /* verilator lint_off UNUSEDSIGNAL */  // half a page has no number
  function automatic pmp_region_t region(input cfg_t c, input addr_t top, input addr_t below);
    addr_t offset, first, last;
  /* verilator lint_on UNUSEDSIGNAL */
    offset = top ^ (top + 45'd1);
    first = top & ~offset;
    last = top | offset;
    region.on = c.a != Off;
    region.locked = c.l;
    region.x = c.x;
    region.w = c.w;
    region.r = c.r;
    region.base = c.a == Tor ? {1'b0, below[44:1]} : {1'b0, first[44:1]};
    region.limit = c.a == Tor ? {1'b0, top[44:1]} : {1'b0, last[44:1]} + 45'd1;
  endfunction

  logic changed_q;
  always_ff @(posedge clk_i) changed_q <= !rst_ni || (write_i && hit_o);

  for (genvar i = 0; i < PmpRegions; i++) begin : gen_region
    always_ff @(posedge clk_i)
      if (!rst_ni) regions_o[i].on <= 1'b0;
      else if (changed_q) regions_o[i] <= region(cfg[i], addr[i], i == 0 ? '0 : addr[(i+All-1)%All]);
  end
endmodule
