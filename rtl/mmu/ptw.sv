// Page-table walker of Sv39 (privileged manual, "Virtual Address Translation Process", steps 1 to 4 and 6): from the
// root to a valid leaf or a fault, one table entry at a time.
//
//   IDLE --start--> CHECK --may be read--> READ --entry: next level--> CHECK ...
//                     |                      |---entry: leaf, fault--> DONE --> IDLE
//                     +--may not be read-------------------------------^
//
// A level takes a cycle more than its read. A read once begun is held until it is done, also after a flush; the end of
// such a walk is not reported. An entry that the bus answers with an error is an access fault. Tables may lie in cached
// memory and the boot ROM only, and are read as S-mode reads.
module ptw
  import config_pkg::Regions;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        flush_i,
  input  ppn_t        root_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t region_i [Regions],
  input  logic        start_i,           // while idle
  input  vpn_t        vpn_i,             // from start_i until done_o
  output logic        idle_o,
  // the end: in one cycle, not in that of a flush
  output logic        done_o,
  output logic        page_fault_o,
  output logic        access_fault_o,
  output leaf_t       leaf_o,
  // table entries, through the data cache
  output table_read_t read_o,            // at the end, addr is that of the entry that was read last
  input  table_data_t data_i
);
  typedef enum logic [1:0] { IDLE, CHECK, READ, DONE } state_e;

  // A page-table entry, privileged manual, "Sv39 page table entry".
  typedef struct packed {
    logic [9:0] reserved;                // 63:54, Svnapot and Svpbmt being absent
    ppn_t ppn;
    logic [1:0] rsw;
    logic d, a, g, u, x, w, r, v;
  } pte_t;

  state_e state_q;
  logic dropped_q;                       // flushed since the walk began
  logic [1:0] level_q;
  logic global_q;                        // a table on the way belongs to all address spaces
  ppn_t table_q;
  logic page_fault_q, access_fault_q;
  leaf_t leaf_q;

  // ---- where the entry is, and whether it may be read ----
  logic [8:0] index;
  word_t addr;
  rights_t rights;
  logic permitted;
  always_comb begin
    case (level_q)
      2'd2: index = vpn_i[26:18];
      2'd1: index = vpn_i[17:9];
      default: index = vpn_i[8:0];
    endcase
  end
  assign addr = {8'd0, table_q, index, 3'd0};

  pmp_check u_pmp_check (
    .pmp_i, .look_i(state_q == CHECK), .ppn_i(table_q), .priv_i(PRIV_S), .rights_o(rights)
  );
  assign permitted = grants(rights, ACCESS_LOAD);

  /* verilator lint_off UNUSEDSIGNAL */  // a table lies in memory, whatever else is allowed there
  attributes_t attributes;
  /* verilator lint_on UNUSEDSIGNAL */
  region_check u_region_check (.region_i, .address_i(addr), .attributes_o(attributes));

  // ---- what the entry says ----
  /* verilator lint_off UNUSEDSIGNAL */  // RSW is software's
  pte_t pte;
  /* verilator lint_on UNUSEDSIGNAL */
  logic is_leaf, misaligned, bad;
  assign pte = data_i.data;
  assign is_leaf = pte.r || pte.x;
  always_comb begin
    case (level_q)
      2'd2: misaligned = pte.ppn[17:0] != '0;
      2'd1: misaligned = pte.ppn[8:0] != '0;
      default: misaligned = 1'b0;
    endcase
    bad = !pte.v || (pte.w && !pte.r) || pte.reserved != '0;
    if (is_leaf) bad = bad || misaligned;
    else bad = bad || pte.d || pte.a || pte.u || level_q == 2'd0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      dropped_q <= 1'b0;
    end else begin
      if (state_q != IDLE && flush_i) dropped_q <= 1'b1;
      case (state_q)
        IDLE: begin
          dropped_q <= 1'b0;
          if (start_i) state_q <= CHECK;
        end
        CHECK:
          if (dropped_q || flush_i) state_q <= IDLE;
          else state_q <= permitted && attributes.memory ? READ : DONE;
        READ:
          if (data_i.done) state_q <= dropped_q || flush_i ? IDLE : is_leaf || bad || data_i.error ? DONE : CHECK;
        default: state_q <= IDLE;
      endcase
    end
    if (state_q == IDLE && start_i) begin
      level_q <= 2'd2;
      global_q <= 1'b0;
      table_q <= root_i;
      page_fault_q <= 1'b0;
      access_fault_q <= 1'b0;
    end
    if (state_q == CHECK) access_fault_q <= !permitted || !attributes.memory;
    if (state_q == READ && data_i.done) begin
      page_fault_q <= bad && !data_i.error;
      access_fault_q <= data_i.error;
      leaf_q <= '{regions: '0, granted: '0, g: global_q || pte.g, level: level_q, ppn: pte.ppn,
                  perms: '{d: pte.d, a: pte.a, u: pte.u, x: pte.x, w: pte.w, r: pte.r}};
      if (!is_leaf && !bad && !data_i.error) begin
        level_q <= level_q - 2'd1;
        global_q <= global_q || pte.g;
        table_q <= pte.ppn;
      end
    end
  end

  assign idle_o = state_q == IDLE;
  assign done_o = state_q == DONE && !flush_i;
  assign page_fault_o = page_fault_q;
  assign access_fault_o = access_fault_q;
  assign leaf_o = leaf_q;
  assign read_o = '{valid: state_q == READ, addr: addr};
endmodule
