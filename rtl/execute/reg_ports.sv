// Who has which port of the register file, and which tags may become ready: wires alone, by the map of port_pkg.
module reg_ports
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
(
  // reads: registers to the file, data from it
  input  preg_t int_read_i [2*IntPorts],
  input  preg_t mem_ps1_i [MemPorts],
  input  preg_t mem_ps2_i [MemPorts],
  input  preg_t fp_read_i [3*FpArrays],
  output preg_t read_o [Readers],
  input  word_t data_i [Readers],
  output word_t int_data_o [2*IntPorts],
  output word_t mem_data1_o [MemPorts],
  output word_t mem_data2_o [MemPorts],
  output word_t fp_data_o [3*FpArrays],
  // results
  input  result_t int_write_i [IntWriters],
  input  mem_done_t mem_done_i [2*MemPorts],
  input  result_t fp_write_i [2*FpArrays],
  output result_t write_o [Writers],
  // tags
  input  wake_t int_wake_i [IntWakes],
  input  wake_t fp_wake_i [2*FpArrays+1],
  output wake_t wake_o [Wakes]
);
  always_comb begin
    for (int r = 0; r < 2 * IntPorts; r++) begin
      read_o[r] = int_read_i[r];
      int_data_o[r] = data_i[r];
    end
    for (int p = 0; p < MemPorts; p++) begin
      read_o[2*(IntPorts+p)] = mem_ps1_i[p];
      read_o[2*(IntPorts+p)+1] = mem_ps2_i[p];
      mem_data1_o[p] = data_i[2*(IntPorts+p)];
      mem_data2_o[p] = data_i[2*(IntPorts+p)+1];
    end
    if (HasFp) for (int r = 0; r < 3 * FpArrays; r++) read_o[2*(IntPorts+MemPorts)+r] = fp_read_i[r];
  end

  for (genvar r = 0; r < 3 * FpArrays; r++) begin : gen_fp_ports
    if (HasFp) begin : gen_on
      assign fp_data_o[r] = data_i[2*(IntPorts+MemPorts)+r];
    end else begin : gen_off
      assign fp_data_o[r] = '0;
    end
  end

  // A load that ends in an exception has no result.
  result_t mem_write [MemPorts];
  for (genvar p = 0; p < MemPorts; p++) begin : gen_mem_ports
    assign mem_write[p] = '{valid: mem_done_i[p].valid && mem_done_i[p].pd_valid && !mem_done_i[p].exception,
                            pd: mem_done_i[p].pd, data: mem_done_i[p].data};
  end

  always_comb begin
    for (int w = 0; w < IntWriters; w++) write_o[w] = int_write_i[w];
    for (int p = 0; p < MemPorts; p++) write_o[IntWriters+p] = mem_write[p];
    if (HasFp) for (int w = 0; w < 2 * FpArrays; w++) write_o[IntWriters+MemPorts+w] = fp_write_i[w];
  end

  always_comb begin
    for (int w = 0; w < IntWakes; w++) wake_o[w] = int_wake_i[w];
    for (int p = 0; p < MemPorts; p++) wake_o[IntWakes+p] = '{valid: mem_write[p].valid, tag: mem_write[p].pd};
    if (HasFp) for (int w = 0; w < 2 * FpArrays + 1; w++) wake_o[IntWakes+MemPorts+w] = fp_wake_i[w];
  end
endmodule
