// The machine around the tile: two miss ports, or the link to the hub (harts.coherent), the device port and the
// interrupt lines, answered by C models.
//
// Every output is a register. A request is passed on in the cycle in which it is accepted; all timing beyond that is
// the C side's. One call a cycle (the tick) says what is ready and which responses come; data is fetched only then.
module machine import config_pkg::*; import core_pkg::*; import line_pkg::*; import dpi_pkg::*; (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  memory_out_t  memory_i,
  output memory_in_t   memory_o,
  input  lost_store_t  lost_i,
  input  tile_line_t   tile_i [2],     // at the tile, with a bus in between; else 0
  /* verilator lint_off UNUSEDSIGNAL */  // with harts.coherent
  input  hub_pkg::hub_out_t hub_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output hub_pkg::hub_in_t hub_o,
  input  word_t        hart_id_i,
  output machine_t     machine_o,
  output logic         host_o          // HTIF: the host wants to look at memory
);
  logic [LineBits-1:0] data;
  assign data = memory_i.data.data;

  // One function, so that the order of the calls is fixed.
  function automatic tick_t exchange();
    if (memory_i.insn.valid && memory_o.insn.ready) begin
      tipoff_line_read(PortInsn, int'(memory_i.insn.id), memory_i.insn.addr);
    end
    if (memory_i.data.valid && memory_o.data.ready) begin
      if (memory_i.data.write) begin
        tipoff_line_write(PortData, memory_i.data.addr, data[63:0], data[127:64], data[191:128], data[255:192],
            data[319:256], data[383:320], data[447:384], data[511:448]);
      end else begin
        tipoff_line_read(PortData, int'(memory_i.data.id), memory_i.data.addr);
      end
    end
    if (memory_i.device.valid && memory_o.device.ready) begin
      tipoff_device_request(int'(memory_i.device.write), int'(memory_i.device.size), memory_i.device.addr,
          memory_i.device.data);
    end
    if (BusAxi != 0) for (int p = 0; p < 2; p++) begin
      if (tile_i[p].asks) tipoff_tile_read(p, int'(tile_i[p].ask_id), tile_i[p].addr);
      if (tile_i[p].comes) tipoff_tile_response(p, int'(tile_i[p].id), int'(tile_i[p].llc_miss));
    end
    if (lost_i.valid) tipoff_lost_store(lost_i.addr);
    if (HartsCoherent != 0) begin
      if (hub_i.request.valid) begin
        tipoff_hub_request(int'(hub_i.request.kind), int'(hub_i.request.id), word_t'(hub_i.request.line));
      end
      if (hub_i.up.valid) hub_up(hub_i.up);
      if (hub_i.done.valid) tipoff_hub_done(int'(hub_i.done.transaction));
    end
    exchange = tick();
  endfunction

  always_ff @(posedge clk_i) begin
    automatic tick_t t;
    if (!rst_ni) begin
      memory_o.insn.ready <= 1'b0;
      memory_o.data.ready <= 1'b0;
      memory_o.device.ready <= 1'b0;
      memory_o.insn.resp.valid <= 1'b0;
      memory_o.data.resp.valid <= 1'b0;
      memory_o.device.resp.valid <= 1'b0;
      machine_o <= '0;
      host_o <= 1'b0;
      hub_o.down.valid <= 1'b0;
      hub_o.answer.valid <= 1'b0;
    end else begin
      t = exchange();
      memory_o.insn.ready <= t.code.imem_ready;
      memory_o.insn.resp.valid <= t.code.imem_response;
      memory_o.insn.resp.id <= t.code.imem_id;
      memory_o.insn.resp.llc_miss <= t.code.imem_llc_miss;
      memory_o.insn.resp.error <= t.code.imem_error;
      if (t.code.imem_response) memory_o.insn.resp.data <= line_data(PortInsn);
      memory_o.data.ready <= t.code.dmem_ready;
      memory_o.data.resp.valid <= t.code.dmem_response;
      memory_o.data.resp.id <= t.code.dmem_id;
      memory_o.data.resp.llc_miss <= t.code.dmem_llc_miss;
      memory_o.data.resp.error <= t.code.dmem_error;
      if (t.code.dmem_response) memory_o.data.resp.data <= line_data(PortData);
      memory_o.device.ready <= t.code.device_ready;
      memory_o.device.resp.valid <= t.code.device_response;
      memory_o.device.resp.error <= t.code.device_error;
      if (t.code.device_response) memory_o.device.resp.data <= tipoff_device_data();
      machine_o <= '{hart_id: hart_id_i, msip: t.code.msip, mtip: t.code.mtip, meip: t.code.meip, seip: t.code.seip,
                     mtime: t.mtime};
      host_o <= t.code.host;
      if (HartsCoherent != 0) begin
        hub_o.down.valid <= t.code.hub_down;
        hub_o.answer.valid <= t.code.hub_answer;
        if (t.code.hub_down) hub_o.down <= hub_down();
        if (t.code.hub_answer) hub_o.answer <= hub_answer();
      end
    end
  end
endmodule
