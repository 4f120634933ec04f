// The harness's own profiling unit, on the same bundle as the program's: what the harness samples and counts, the
// program can neither see nor disturb. Its CSRs are reached by the addresses that software uses.
//
// Between two cycles: a read takes no time, a write is selected and takes effect with the next clock edge. Only the
// functions below write request, follow_program and hart_id. harness/model_shim.cpp calls them in this scope, u_harness
// of the top.
module harness_unit
  import config_pkg::*;
  import core_pkg::*;
  import records_pkg::*;
  import csrs_pkg::*;
  import profile_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  stale_t         stale_i,
  input  coherence_t     coherence_i,
  // the program's own sampling counter has overflowed in the cycle before; 0 where there is none
  input  logic           program_trigger_i,
  input  word_t          cycles_i,           // since reset
  input  word_t          instructions_i,
  output logic           trigger_o,          // of the cycle before: this unit's, or the program's where it follows that
  output logic           reads_o,            // vectors (profile.vector_window)
  output logic           sample_taken_o,
  output logic           sample_ready_o,
  output sample_t        sample_o,
  output oir_t           oir_o,
  output word_t          hart_id_o           // what mhartid reads
);
  localparam int NoSuchCsr = -22;  // -EINVAL
  csr_req_t request;
  logic follow_program, own_trigger;
  word_t hart_id;
  initial request = '0;
  initial follow_program = 1'b0;
  initial hart_id = '0;
  assign hart_id_o = hart_id;
  assign trigger_o = own_trigger || (follow_program && program_trigger_i);

  // An overflow of the program's counter is known a cycle late.
  profile_top #(.LateTrigger(1'b1), .Observes(1'b1)) u_profile_top (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .bundle_i(bundle_i), .stale_i(stale_i), .coherence_i(coherence_i), .reads_o(reads_o),
    .trigger_i(follow_program && program_trigger_i), .csr_req_i(request), .trigger_o(own_trigger),
    .sample_taken_o(sample_taken_o), .sample_ready_o(sample_ready_o), .sample_o(sample_o), .oir_o(oir_o),
    /* verilator lint_off PINCONNECTEMPTY */  // read by functions
    .csr_rdata_o(), .lcofi_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // What the last cycle has counted is added in the next one; the harness, which reads after the very last cycle,
  // has it too. (Where the sampling counter is about to go on from its period, this is what it would be without.)
  function automatic word_t pending(input logic [11:0] addr);
    pending = '0;
    for (int i = 0; i < HpmCounters; i++)
      if (addr == CsrMhpmcounter3 + 12'(i) || addr == CsrHpmcounter3 + 12'(i))
        pending = 64'(u_profile_top.u_pmu.amount(u_profile_top.u_pmu.parts_q[i]));
    if (addr == CsrTipoffCollisions) pending = 64'(u_profile_top.u_tip_csrs.lost_q);
  endfunction

  function automatic logic is_here(input logic [11:0] addr);
    is_here = csr_in_pmu(addr) || csr_in_tip_csrs(addr) || csr_in_profileme(addr) || csr_in_csr_window(addr) ||
              csr_in_ctr(addr);
  endfunction

  // tipoff_window_read gives the values of the registers in the window.
  export "DPI-C" function tipoff_csr_read;
  function int tipoff_csr_read(input int addr, output longint unsigned value);
    value = u_profile_top.u_tip_csrs.read(addr[11:0], 1'b0) | u_profile_top.u_csr_window.read(addr[11:0]) |
            u_profile_top.u_ctr.read(addr[11:0]) |
            (u_profile_top.u_pmu.read(addr[11:0]) + pending(addr[11:0]));
    return is_here(addr[11:0]) ? 0 : NoSuchCsr;
  endfunction

  export "DPI-C" function tipoff_csr_write;
  function int tipoff_csr_write(input int addr, input longint unsigned value);
    request = '{addr: addr[11:0], write: is_here(addr[11:0]), wdata: value};
    return request.write ? 0 : NoSuchCsr;
  endfunction

  // What sireg (number 1) to sireg6 (6) would read with that in siselect, which stays as it is.
  export "DPI-C" function tipoff_window_read;
  function int tipoff_window_read(input int select, input int number, output longint unsigned value);
    value = u_profile_top.u_ctr.window_read('{select: select[11:0], number: number[2:0], machine: 1'b0, write: 1'b0,
                                              wdata: '0});
    return Window != 0 && select[31:12] == '0 && number >= 1 && number <= 6 ? 0 : NoSuchCsr;
  endfunction

  export "DPI-C" function tipoff_csr_idle;
  function void tipoff_csr_idle();
    request = '0;
  endfunction

  export "DPI-C" function tipoff_follow_program;
  function void tipoff_follow_program();
    follow_program = 1'b1;
  endfunction

  export "DPI-C" function tipoff_instructions;
  function longint unsigned tipoff_instructions();
    return instructions_i;
  endfunction

  export "DPI-C" function tipoff_cycles;
  function longint unsigned tipoff_cycles();
    return cycles_i;
  endfunction

  export "DPI-C" function tipoff_set_hart_id;
  function void tipoff_set_hart_id(input longint unsigned value);
    hart_id = value;
  endfunction
endmodule
