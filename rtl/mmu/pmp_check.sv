// Physical memory protection of an access to a page (privileged manual, "Physical Memory Protection"). Combinational.
//
// Regions are whole pages, so an access lies in a region or outside of it. The lowest-numbered region that contains the
// page decides. Without any entry (core.pmp_entries = 0) everything is allowed.
module pmp_check
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  pmp_region_t pmp_i [PmpRegions],
  input  ppn_t        ppn_i,
  input  access_e     access_i,
  input  priv_e       priv_i,
  output logic        allowed_o
);
  // M-mode is bound by locked regions only; nearly always there is none, and nothing needs to be compared.
  logic any_locked;
  always_comb begin
    any_locked = 1'b0;
    for (int unsigned r = 0; r < PmpRegions; r++) any_locked |= pmp_i[r].locked;
  end

  always_comb begin
    logic found, permitted;
    found = 1'b0;
    permitted = 1'b0;
    allowed_o = priv_i == PRIV_M || PmpEntries == 0;
    if (PmpEntries > 0 && (priv_i != PRIV_M || any_locked)) begin
      for (int unsigned r = 0; r < PmpRegions; r++) begin
        if (!found && pmp_i[r].on && {1'b0, ppn_i} >= pmp_i[r].base && {1'b0, ppn_i} < pmp_i[r].limit) begin
          found = 1'b1;
          case (access_i)
            ACCESS_FETCH: permitted = pmp_i[r].x;
            ACCESS_LOAD: permitted = pmp_i[r].r;
            default: permitted = pmp_i[r].w;
          endcase
          allowed_o = permitted || (priv_i == PRIV_M && !pmp_i[r].locked);
        end
      end
    end
  end
endmodule
