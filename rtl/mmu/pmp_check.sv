// Access rights of a page by physical memory protection (privileged manual, "Physical Memory Protection").
// Combinational.
//
// Regions are whole pages, so an access lies in a region or outside of it. The lowest-numbered region that contains the
// page decides. Without any entry (core.pmp_entries = 0) everything is allowed.
module pmp_check
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  pmp_region_t pmp_i [PmpRegions],
  input  logic        look_i,      // else nothing is compared, and rights_o are none
  input  ppn_t        ppn_i,
  input  priv_e       priv_i,
  output rights_t     rights_o
);
  // M-mode is bound by locked regions only; nearly always there is none, and nothing needs to be compared.
  logic any_locked;
  always_comb begin
    any_locked = 1'b0;
    for (int unsigned r = 0; r < PmpRegions; r++) any_locked |= pmp_i[r].locked;
  end

  always_comb begin
    logic found;
    found = 1'b0;
    rights_o = look_i && (priv_i == PRIV_M || PmpEntries == 0) ? '1 : '0;
    if (PmpEntries > 0 && look_i && (priv_i != PRIV_M || any_locked)) begin
      for (int unsigned r = 0; r < PmpRegions; r++) begin
        if (!found && pmp_i[r].on && {1'b0, ppn_i} >= pmp_i[r].base && {1'b0, ppn_i} < pmp_i[r].limit) begin
          found = 1'b1;
          rights_o = '{x: pmp_i[r].x, w: pmp_i[r].w, r: pmp_i[r].r};
          if (priv_i == PRIV_M && !pmp_i[r].locked) rights_o = '1;
        end
      end
    end
  end
endmodule
