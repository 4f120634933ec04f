// What lies between the tile and the machine: wires, or, where the configuration says bus.axi, AXI4 both ways
// (rtl/soc/axi_lines.sv, rtl/soc/axi_device.sv) with a memory that reorders.
module bus
  import config_pkg::*;
  import core_pkg::*;
  import bus_pkg::*;
  import dpi_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // wires have no clock
  input  logic         clk_i,
  input  logic         rst_ni,
  /* verilator lint_on UNUSEDSIGNAL */
  // tile
  input  line_req_t    imem_req_i,
  output logic         imem_ready_o,
  output line_resp_t   imem_resp_o,
  input  line_req_t    dmem_req_i,
  output logic         dmem_ready_o,
  output line_resp_t   dmem_resp_o,
  input  device_req_t  device_req_i,
  output logic         device_ready_o,
  output device_resp_t device_resp_o,
  // machine
  output line_req_t    imem_req_o,
  input  logic         imem_ready_i,
  input  line_resp_t   imem_resp_i,
  output line_req_t    dmem_req_o,
  input  logic         dmem_ready_i,
  input  line_resp_t   dmem_resp_i,
  output device_req_t  device_req_o,
  input  logic         device_ready_i,
  input  device_resp_t device_resp_i,
  output tile_line_t   tile_o [2], // what passes at the tile, on a bus
  output logic         writes_o    // lines are on their way to memory
);
  if (BusAxi != 0) begin : gen_axi
    axi_req_t line_req, dev_req;
    axi_resp_t line_resp, dev_resp;
    assign writes_o = u_lines.wr_valid != '0;
    assign tile_o[PortInsn] = '{
      asks: imem_req_i.valid && imem_ready_o, ask_id: imem_req_i.id, addr: imem_req_i.addr,
      comes: imem_resp_o.valid, id: imem_resp_o.id, llc_miss: imem_resp_o.llc_miss
    };
    assign tile_o[PortData] = '{
      asks: dmem_req_i.valid && dmem_ready_o && !dmem_req_i.write, ask_id: dmem_req_i.id, addr: dmem_req_i.addr,
      comes: dmem_resp_o.valid, id: dmem_resp_o.id, llc_miss: dmem_resp_o.llc_miss
    };
    bus_error_t errors [3];
    `include "assert.svh"
    `ASSERT(WritesSucceed, !errors[1].valid)

    axi_lines u_lines (
      .clk_i, .rst_ni, .imem_req_i, .imem_ready_o, .imem_resp_o, .dmem_req_i, .dmem_ready_o, .dmem_resp_o,
      .axi_req_o(line_req), .axi_resp_i(line_resp), .read_error_o(errors[0]), .write_error_o(errors[1])
    );
    axi_memory u_memory (
      .clk_i, .rst_ni, .axi_req_i(line_req), .axi_resp_o(line_resp),
      .imem_req_o, .imem_ready_i, .imem_resp_i, .dmem_req_o, .dmem_ready_i, .dmem_resp_i
    );
    axi_rules u_line_rules (.clk_i, .rst_ni, .req_i(line_req), .resp_i(line_resp));

    axi_device u_device (
      .clk_i, .rst_ni, .device_req_i, .device_ready_o, .device_resp_o, .axi_req_o(dev_req), .axi_resp_i(dev_resp),
      .error_o(errors[2])
    );
    axi_devices u_devices (
      .clk_i, .rst_ni, .axi_req_i(dev_req), .axi_resp_o(dev_resp), .device_req_o, .device_ready_i, .device_resp_i
    );
    axi_rules u_device_rules (.clk_i, .rst_ni, .req_i(dev_req), .resp_i(dev_resp));
  end else begin : gen_wires
    assign imem_req_o = imem_req_i;
    assign imem_ready_o = imem_ready_i;
    assign imem_resp_o = imem_resp_i;
    assign dmem_req_o = dmem_req_i;
    assign dmem_ready_o = dmem_ready_i;
    assign dmem_resp_o = dmem_resp_i;
    assign device_req_o = device_req_i;
    assign device_ready_o = device_ready_i;
    assign device_resp_o = device_resp_i;
    assign writes_o = 1'b0;
    assign tile_o = '{default: '0};
  end
endmodule
