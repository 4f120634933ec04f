// What lies between the tile and the machine: wires, or, where the configuration says bus.axi, AXI4 both ways
// (rtl/soc/axi_lines.sv, rtl/soc/axi_device.sv) with a memory that reorders.
module bus
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
  import dpi_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // wires have no clock
  input  logic         clk_i,
  input  logic         rst_ni,
  /* verilator lint_on UNUSEDSIGNAL */
  input  memory_out_t  tile_i,
  output memory_in_t   tile_o,
  output memory_out_t  memory_o,
  input  memory_in_t   memory_i,
  output tile_line_t   lines_o [2], // what passes at the tile, on a bus
  output logic         writes_o    // lines are on their way to memory
);
  /* verilator lint_off UNUSEDSIGNAL */  // not the lines themselves
  function automatic tile_line_t passes(input line_req_t req, input line_in_t in);
  /* verilator lint_on UNUSEDSIGNAL */
    passes = '{
      asks: req.valid && in.ready && !req.write, ask_id: req.id, addr: req.addr,
      comes: in.resp.valid, id: in.resp.id, llc_miss: in.resp.llc_miss
    };
  endfunction

  if (BusAxi != 0) begin : gen_axi
    axi_req_t line_req, dev_req;
    axi_resp_t line_resp, dev_resp;
    assign writes_o = u_lines.wr_valid != '0;
    assign lines_o[PortInsn] = passes(tile_i.insn, tile_o.insn);
    assign lines_o[PortData] = passes(tile_i.data, tile_o.data);
    bus_error_t errors [3];
    `include "assert.svh"
    `ASSERT(WritesSucceed, !errors[1].valid)

    axi_lines u_lines (
      .clk_i, .rst_ni,
      .imem_req_i(tile_i.insn), .imem_ready_o(tile_o.insn.ready), .imem_resp_o(tile_o.insn.resp),
      .dmem_req_i(tile_i.data), .dmem_ready_o(tile_o.data.ready), .dmem_resp_o(tile_o.data.resp),
      .axi_req_o(line_req), .axi_resp_i(line_resp), .read_error_o(errors[0]), .write_error_o(errors[1])
    );
    axi_memory u_memory (
      .clk_i, .rst_ni, .axi_req_i(line_req), .axi_resp_o(line_resp),
      .imem_req_o(memory_o.insn), .imem_ready_i(memory_i.insn.ready), .imem_resp_i(memory_i.insn.resp),
      .dmem_req_o(memory_o.data), .dmem_ready_i(memory_i.data.ready), .dmem_resp_i(memory_i.data.resp)
    );
    axi_rules u_line_rules (.clk_i, .rst_ni, .req_i(line_req), .resp_i(line_resp));

    axi_device u_device (
      .clk_i, .rst_ni, .device_req_i(tile_i.device), .device_ready_o(tile_o.device.ready),
      .device_resp_o(tile_o.device.resp), .axi_req_o(dev_req), .axi_resp_i(dev_resp), .error_o(errors[2])
    );
    axi_devices u_devices (
      .clk_i, .rst_ni, .axi_req_i(dev_req), .axi_resp_o(dev_resp), .device_req_o(memory_o.device),
      .device_ready_i(memory_i.device.ready), .device_resp_i(memory_i.device.resp)
    );
    axi_rules u_device_rules (.clk_i, .rst_ni, .req_i(dev_req), .resp_i(dev_resp));
  end else begin : gen_wires
    assign memory_o = tile_i;
    assign tile_o = memory_i;
    assign writes_o = 1'b0;
    assign lines_o = '{default: '0};
  end
endmodule
