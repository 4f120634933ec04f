// EX of one port, second half: the physical address, and whether the access is allowed. Combinational.
//
// In this order: misaligned; page fault; access fault (of the walk, of the physical memory protection, of the memory
// map). With translation, protection has been looked at when the leaf was fetched (page_rights). What reads reports the
// load causes, the rest the store ones. AMO, LR and SC work on cached memory only. The address does not wait for the
// checks: with an exception, virtual_address gives back the virtual one.
module lsu_check
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  vm_t         vm_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t region_i [Regions],
  input  logic        translates_i,
  input  logic        amo_i,
  input  logic        reads_i,
  input  logic        misaligned_i,
  input  word_t       addr_i,         // virtual
  input  leaf_t       leaf_i,         // its translation, by the TLB or by the walk
  input  logic        walk_page_i,    // the walk ended with a page fault ...
  input  logic        walk_access_i,  // ... or an access fault
  output word_t       addr_o,         // physical; of an address that cannot be translated (canonical) itself
  output logic        device_o,       // a device's address
  output logic        exception_o,
  output cause_t      cause_o
);
  word_t pa;
  access_e access;
  rights_t bare;
  logic canon, page_fault, access_fault, protected_ok, allowed;

  assign access = reads_i ? ACCESS_LOAD : ACCESS_STORE;

  assign canon = canonical(addr_i);
  always_comb begin
    pa = addr_i;
    page_fault = 1'b0;
    if (translates_i) begin
      if (canon) pa = {8'd0, leaf_ppn(leaf_i, addr_i[38:12]), addr_i[11:0]};
      page_fault = !canon || walk_page_i ||
          (!walk_access_i && leaf_faults(leaf_i.perms, access, vm_i.data_priv, vm_i.sum, vm_i.mxr));
    end
  end

  pmp_check u_pmp_check (
    .pmp_i,
    .look_i(!translates_i),
    .ppn_i(addr_i[55:12]),
    .priv_i(vm_i.data_priv),
    .rights_o(bare)
  );
  assign protected_ok = grants(translates_i ? leaf_i.granted : bare, access);

  /* verilator lint_off UNUSEDSIGNAL */  // nothing is executed here
  attributes_t attributes, attributes_bare, attributes_leaf;
  /* verilator lint_on UNUSEDSIGNAL */
  region_check u_region_check (.region_i, .address_i(addr_i), .attributes_o(attributes_bare));
  leaf_region_check u_leaf_region_check (.region_i, .offset_i(addr_i[29:0]), .leaf_i, .attributes_o(attributes_leaf));
  assign attributes = translates_i ? attributes_leaf : attributes_bare;

  always_comb begin
    device_o = attributes.device;
    allowed = reads_i ? attributes.r : attributes.w;
    if (amo_i && device_o) allowed = 1'b0;
    access_fault = !allowed || !protected_ok || (translates_i && walk_access_i);

    exception_o = misaligned_i || page_fault || access_fault;
    if (misaligned_i) cause_o = reads_i ? CauseLoadMisaligned : CauseStoreMisaligned;
    else if (page_fault) cause_o = reads_i ? CauseLoadPage : CauseStorePage;
    else cause_o = reads_i ? CauseLoadAccess : CauseStoreAccess;
  end
  assign addr_o = pa;
endmodule
