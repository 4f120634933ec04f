// Loads, one at a time, from a direct-mapped write-through data cache of 4 KiB; committed stores, by a queue of four.
//
// A load that hits is done two cycles after its address is known. One that misses, and one of a device, waits until the
// queue is empty, so that it sees all older stores; one of a device waits until it is the oldest instruction, too: it
// cannot be taken back.
module inorder_lsu
  import inorder_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         kill_i,
  input  logic         load_i,          // its address is known now
  input  place_t       load_place_i,
  input  word_t        load_address_i,
  input  logic [2:0]   load_op_i,       // funct3
  input  place_t       head_i,          // the oldest instruction
  output done_t        done_o,
  output logic         busy_o,
  output logic         device_o,        // a device is being read: no interrupt now
  output logic         missed_o,        // done_o.place's load has missed
  input  store_t       store_i,         // commits: only with room
  output logic         room_o,
  output logic         empty_o,         // all stores have reached memory
  output logic         read_o,          // the bus
  output logic         read_single_o,
  output word_t        read_address_o,
  output logic [2:0]   read_size_o,
  input  logic         read_done_i,
  input  logic [511:0] read_data_i,
  output store_t       write_o,
  input  logic         write_done_i
);
  localparam int unsigned Lines = 64;
  typedef enum logic [2:0] { IDLE, LOOK, MISS, FILL, DEVICE, ANSWER } state_e;
  logic [511:0] line_q [Lines];
  logic [51:0] tag_q [Lines];
  logic [Lines-1:0] valid_q;
  state_e state_q;
  place_t place_q;
  word_t address_q;
  logic [2:0] op_q;
  logic dead_q;      // was killed while the bus is at it
  logic hit;
  word_t word;

  function automatic logic cached(input word_t address);
    cached = address >= 64'h7fff_0000 || address[63:12] == 52'd1;  // DRAM and what lies below it; the boot ROM
  endfunction

  assign hit = valid_q[address_q[11:6]] && tag_q[address_q[11:6]] == address_q[63:12];
  assign busy_o = state_q != IDLE || load_i;
  assign device_o = state_q == ANSWER;
  assign missed_o = state_q == LOOK && !hit && cached(address_q) && !kill_i;
  assign read_o = state_q == FILL || state_q == ANSWER;
  assign read_single_o = state_q == ANSWER;
  assign read_address_o = address_q;
  assign read_size_o = {1'b0, op_q[1:0]};
  assign word = state_q == ANSWER ? read_data_i[511:448] : line_q[address_q[11:6]][{address_q[5:3], 6'd0}+:64];

  always_comb begin
    automatic word_t value;
    value = word >> {address_q[2:0], 3'd0};
    done_o = '0;
    done_o.place = place_q;
    done_o.valid = !kill_i && !dead_q && ((state_q == LOOK && hit && cached(address_q)) ||
                                          (state_q == ANSWER && read_done_i));
    case (op_q)
      3'd0: done_o.result = {{56{value[7]}}, value[7:0]};
      3'd1: done_o.result = {{48{value[15]}}, value[15:0]};
      3'd2: done_o.result = {{32{value[31]}}, value[31:0]};
      3'd4: done_o.result = {56'b0, value[7:0]};
      3'd5: done_o.result = {48'b0, value[15:0]};
      3'd6: done_o.result = {32'b0, value[31:0]};
      default: done_o.result = value;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      dead_q <= 1'b0;
    end else begin
      case (state_q)
        IDLE:
          if (load_i && !kill_i) begin
            state_q <= LOOK;
            place_q <= load_place_i;
            address_q <= load_address_i;
            op_q <= load_op_i;
            dead_q <= 1'b0;
          end
        LOOK: state_q <= kill_i || (hit && cached(address_q)) ? IDLE : cached(address_q) ? MISS : DEVICE;
        MISS: if (kill_i) state_q <= IDLE; else if (empty_o) state_q <= FILL;
        DEVICE: if (kill_i) state_q <= IDLE; else if (empty_o && place_q == head_i) state_q <= ANSWER;
        FILL: begin
          dead_q <= dead_q || kill_i;
          if (read_done_i) state_q <= dead_q || kill_i ? IDLE : LOOK;
        end
        default: if (read_done_i) state_q <= IDLE;
      endcase
    end
  end

  // ---- stores ----
  store_t queue_q [4];
  logic [1:0] head_q, tail_q;
  logic [2:0] count_q;
  assign room_o = count_q != 3'd4;
  assign empty_o = count_q == '0;
  always_comb begin
    write_o = queue_q[head_q];
    write_o.valid = count_q != '0;
  end

  always_ff @(posedge clk_i) begin
    automatic logic [63:0] strobe;
    automatic logic [511:0] datum;
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      valid_q <= '0;
    end else begin
      if (store_i.valid) begin
        queue_q[tail_q] <= store_i;
        tail_q <= tail_q + 2'd1;
        if (valid_q[store_i.address[11:6]] && tag_q[store_i.address[11:6]] == store_i.address[63:12]) begin
          strobe = ((64'd1 << (4'd1 << store_i.size)) - 64'd1) << store_i.address[5:0];
          datum = 512'(store_i.data) << {store_i.address[5:0], 3'd0};
          for (int i = 0; i < 64; i++) if (strobe[i]) line_q[store_i.address[11:6]][8*i+:8] <= datum[8*i+:8];
        end
      end else if (state_q == FILL && read_done_i) begin
        line_q[address_q[11:6]] <= read_data_i;
        tag_q[address_q[11:6]] <= address_q[63:12];
        valid_q[address_q[11:6]] <= 1'b1;
      end
      if (write_done_i) head_q <= head_q + 2'd1;
      count_q <= count_q + 3'(store_i.valid) - 3'(write_done_i);
    end
  end
endmodule
