// Ideal TLB: where the lookup misses, the tables are read in the same cycle, and a valid leaf is a hit. Combinational.
//
// Only what a walk would find is found: a table that may not be read, and an entry that is none, stay a miss, and the
// walker says what fault it is. Rights, A and D are looked at in each use of a leaf, here as there.
`define IDEAL gen_ideal_parts.u_ideal
module ideal_tlb
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import ideal_pkg::*;
#(
  parameter int unsigned Ports = 1
) (
  input  vm_t         vm_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t     region_i [Regions],
  input  logic [Ports-1:0] look_valid_i,
  input  vpn_t        look_vpn_i [Ports],
  // what the TLB says
  input  logic [Ports-1:0] hit_i,
  input  leaf_t       leaf_i [Ports],
  output logic [Ports-1:0] hit_o,
  output leaf_t       leaf_o [Ports]
);
  // What S and U may do in this page (privileged manual, "Physical Memory Protection").
  function automatic rights_t rights_in(input ppn_t page);
    rights_in = PmpEntries == 0 ? '1 : '0;
    for (int r = PmpRegions - 1; r >= 0; r--)
      if (pmp_i[r].on && {1'b0, page} >= pmp_i[r].base && {1'b0, page} < pmp_i[r].limit)
        rights_in = '{x: pmp_i[r].x, w: pmp_i[r].w, r: pmp_i[r].r};
  endfunction

  typedef struct packed {
    logic valid;
    leaf_t leaf;
  } walked_t;

  // Privileged manual, "Virtual Address Translation Process", steps 1 to 4 and 6.
  function automatic walked_t walk(input vpn_t vpn);
    ppn_t table_page;
    /* verilator lint_off UNUSEDSIGNAL */  // RSW is software's
    word_t pte;
    /* verilator lint_on UNUSEDSIGNAL */
    logic global_page, leaf, bad, going;
    walk = '0;
    table_page = vm_i.root;
    global_page = 1'b0;
    going = 1'b1;
    for (int level = 2; level >= 0; level--)
      if (going) begin
        pte = '0;
        if (!grants(rights_in(table_page), ACCESS_LOAD)) going = 1'b0;
        else if (tipoff_ideal_table(`IDEAL.now_o, {8'd0, table_page, vpn[9*level +: 9], 3'd0}, pte) == 0) going = 1'b0;
        leaf = pte[1] || pte[3];
        global_page = global_page || pte[5];
        bad = !pte[0] || (pte[2] && !pte[1]) || pte[63:54] != '0;
        if (leaf) bad = bad || (level == 2 && pte[27:10] != '0) || (level == 1 && pte[18:10] != '0);
        else bad = bad || pte[7] || pte[6] || pte[4] || level == 0;
        if (going && leaf && !bad) begin
          walk = '{valid: 1'b1, leaf: '{regions: '0, granted: '0, g: global_page, level: 2'(level), ppn: pte[53:10],
                   perms: '{d: pte[7], a: pte[6], u: pte[4], x: pte[3], w: pte[2], r: pte[1]}}};
          walk.leaf.granted = rights_in(leaf_ppn(walk.leaf, vpn));
          for (int r = 0; r < Regions; r++) walk.leaf.regions[r] = meets(region_i[r], walk.leaf.ppn, walk.leaf.level);
        end
        going = going && !leaf && !bad;
        table_page = pte[53:10];
      end
  endfunction

  always_comb begin
    automatic walked_t walked = '0;
    hit_o = hit_i;
    leaf_o = leaf_i;
    for (int p = 0; p < Ports; p++)
      if (`IDEAL.parts_o.tlb && look_valid_i[p] && !hit_i[p]) begin
        walked = walk(look_vpn_i[p]);
        hit_o[p] = walked.valid;
        leaf_o[p] = walked.leaf;
      end
  end
endmodule
`undef IDEAL
