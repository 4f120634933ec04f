// Top of every Verilated model: the tile, the machine around it and the monitor. Clock and reset are the only inputs;
// everything else goes through DPI. Reset is registered before use (a raw top input costs speed in Verilator).
module sim_top
  import core_pkg::*;
  import records_pkg::*;
  import csrs_pkg::*;
(
  input logic clk_i,
  input logic rst_ni
);
  logic rst_n_q;
  initial rst_n_q = 1'b0;  // in reset from the very first clock edge on
  always_ff @(posedge clk_i) rst_n_q <= rst_ni;

  line_req_t imem_req, dmem_req;
  logic imem_ready, dmem_ready;
  line_resp_t imem_resp, dmem_resp;
  device_req_t device_req;
  logic device_ready;
  device_resp_t device_resp;
  machine_t machine_lines;
  commit_bundle_t bundle;
  sample_t sample;
  oir_t oir;
  logic sample_trigger, sample_ready, host;
  priv_e priv;
  word_t cycles, instructions;

  // The harness's access to the CSRs of the profiling units, by the addresses that software uses. Between two cycles: a
  // read takes no time, a write is selected and takes effect with the next clock edge. Only this function and
  // tipoff_csr_idle write host_req.
  localparam int NoSuchCsr = -22;  // -EINVAL
  csr_req_t host_req;
  initial host_req = '0;

  export "DPI-C" function tipoff_csr_read;
  function int tipoff_csr_read(input int addr, output longint unsigned value);
    value = u_tile.u_profile_top.u_tip_csrs.read(addr[11:0]) | u_tile.u_profile_top.u_pmu.read(addr[11:0]);
    return csr_in_pmu(addr[11:0]) || csr_in_tip_csrs(addr[11:0]) ? 0 : NoSuchCsr;
  endfunction

  export "DPI-C" function tipoff_csr_write;
  function int tipoff_csr_write(input int addr, input longint unsigned value);
    host_req = '{addr: addr[11:0], write: csr_in_pmu(addr[11:0]) || csr_in_tip_csrs(addr[11:0]), wdata: value};
    return host_req.write ? 0 : NoSuchCsr;
  endfunction

  export "DPI-C" function tipoff_csr_idle;
  function void tipoff_csr_idle();
    host_req = '0;
  endfunction

  export "DPI-C" function tipoff_instructions;
  function longint unsigned tipoff_instructions();
    return instructions;
  endfunction

  export "DPI-C" function tipoff_cycles;
  function longint unsigned tipoff_cycles();
    return cycles;
  endfunction

  tile u_tile (
    .clk_i(clk_i), .rst_ni(rst_n_q),
    .imem_req_o(imem_req), .imem_ready_i(imem_ready), .imem_resp_i(imem_resp),
    .dmem_req_o(dmem_req), .dmem_ready_i(dmem_ready), .dmem_resp_i(dmem_resp),
    .device_req_o(device_req), .device_ready_i(device_ready), .device_resp_i(device_resp),
    .machine_i(machine_lines),
    .host_req_i(host_req),
    .bundle_o(bundle), .priv_o(priv), .sample_o(sample), .oir_o(oir),
    .sample_trigger_o(sample_trigger), .sample_ready_o(sample_ready)
  );

  machine u_machine (
    .clk_i(clk_i), .rst_ni(rst_n_q),
    .imem_req_i(imem_req), .imem_ready_o(imem_ready), .imem_resp_o(imem_resp),
    .dmem_req_i(dmem_req), .dmem_ready_o(dmem_ready), .dmem_resp_o(dmem_resp),
    .device_req_i(device_req), .device_ready_o(device_ready), .device_resp_o(device_resp),
    .machine_o(machine_lines), .host_o(host)
  );

  htif u_htif (.clk_i(clk_i), .rst_ni(rst_n_q), .host_i(host));

  monitor u_monitor (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .priv_i(priv), .sample_i(sample), .oir_i(oir),
    .sample_trigger_i(sample_trigger), .sample_ready_i(sample_ready), .cycle_o(cycles), .instructions_o(instructions)
  );
endmodule
