// The machine around the tile: two miss ports, the device port and the interrupt lines, answered by C models.
//
// Every output is a register. A request is passed on in the cycle in which it is accepted; all timing beyond that is
// the C side's. One call a cycle (the tick) says what is ready and which responses come; data is fetched only then.
module machine import config_pkg::*; import core_pkg::*; import dpi_pkg::*; (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  line_req_t    imem_req_i,
  output logic         imem_ready_o,
  output line_resp_t   imem_resp_o,
  input  line_req_t    dmem_req_i,
  output logic         dmem_ready_o,
  output line_resp_t   dmem_resp_o,
  input  device_req_t  device_req_i,
  output logic         device_ready_o,
  output device_resp_t device_resp_o,
  input  lost_store_t  lost_i,
  input  tile_line_t   tile_i [2],     // at the tile, with a bus in between; else 0
  input  word_t        hart_id_i,
  output machine_t     machine_o,
  output logic         host_o          // HTIF: the host wants to look at memory
);
  // One function, so that the order of the calls is fixed.
  function automatic tick_t exchange();
    if (imem_req_i.valid && imem_ready_o) tipoff_line_read(PortInsn, int'(imem_req_i.id), imem_req_i.addr);
    if (dmem_req_i.valid && dmem_ready_o) begin
      if (dmem_req_i.write) begin
        tipoff_line_write(PortData, dmem_req_i.addr, dmem_req_i.data[63:0], dmem_req_i.data[127:64],
            dmem_req_i.data[191:128], dmem_req_i.data[255:192], dmem_req_i.data[319:256], dmem_req_i.data[383:320],
            dmem_req_i.data[447:384], dmem_req_i.data[511:448]);
      end else begin
        tipoff_line_read(PortData, int'(dmem_req_i.id), dmem_req_i.addr);
      end
    end
    if (device_req_i.valid && device_ready_o) begin
      tipoff_device_request(int'(device_req_i.write), int'(device_req_i.size), device_req_i.addr, device_req_i.data);
    end
    if (BusAxi != 0) for (int p = 0; p < 2; p++) begin
      if (tile_i[p].asks) tipoff_tile_read(p, int'(tile_i[p].ask_id), tile_i[p].addr);
      if (tile_i[p].comes) tipoff_tile_response(p, int'(tile_i[p].id), int'(tile_i[p].llc_miss));
    end
    if (lost_i.valid) tipoff_lost_store(lost_i.addr);
    exchange = tick();
  endfunction

  always_ff @(posedge clk_i) begin
    automatic tick_t t;
    if (!rst_ni) begin
      imem_ready_o <= 1'b0;
      dmem_ready_o <= 1'b0;
      device_ready_o <= 1'b0;
      imem_resp_o.valid <= 1'b0;
      dmem_resp_o.valid <= 1'b0;
      device_resp_o.valid <= 1'b0;
      machine_o <= '0;
      host_o <= 1'b0;
    end else begin
      t = exchange();
      imem_ready_o <= t.code.imem_ready;
      imem_resp_o.valid <= t.code.imem_response;
      imem_resp_o.id <= t.code.imem_id;
      imem_resp_o.llc_miss <= t.code.imem_llc_miss;
      imem_resp_o.error <= t.code.imem_error;
      if (t.code.imem_response) imem_resp_o.data <= line_data(PortInsn);
      dmem_ready_o <= t.code.dmem_ready;
      dmem_resp_o.valid <= t.code.dmem_response;
      dmem_resp_o.id <= t.code.dmem_id;
      dmem_resp_o.llc_miss <= t.code.dmem_llc_miss;
      dmem_resp_o.error <= t.code.dmem_error;
      if (t.code.dmem_response) dmem_resp_o.data <= line_data(PortData);
      device_ready_o <= t.code.device_ready;
      device_resp_o.valid <= t.code.device_response;
      device_resp_o.error <= t.code.device_error;
      if (t.code.device_response) device_resp_o.data <= tipoff_device_data();
      machine_o <= '{hart_id: hart_id_i, msip: t.code.msip, mtip: t.code.mtip, meip: t.code.meip, seip: t.code.seip,
                     mtime: t.mtime};
      host_o <= t.code.host;
    end
  end
endmodule
