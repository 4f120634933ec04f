// The host at the serial port of Chipyard's DigitalTop (TSI): boots the hart, then reads and writes the words of memory
// that HTIF wants (csrc/machine/htif.h), coherently, as any device of the chip. So programs print, and have the other
// host calls.
//
// The data cache has accepted a store that is emitted, but its line may still be on the way: tohost is read until the
// store is seen there.
//
// A command is words of 32 bits: 0 to read or 1 to write, address low and high, words less one low and high; then the
// words that are written, or those read come back. Boot: 1 to the hart's msip, at which the boot ROM jumps to the first
// word of DRAM.
module boom_host
  import boom_pkg::store_t;
  import dpi_pkg::tipoff_host_address, dpi_pkg::tipoff_host_access;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        host_i,       // it wants to look at memory
  input  logic        emitted_i,    // a store to tohost: this one
  input  store_t      store_i,
  output logic        in_valid_o,
  input  logic        in_ready_i,
  output logic [31:0] in_bits_o,
  input  logic        out_valid_i,  // always taken
  input  logic [31:0] out_bits_i
);
  localparam logic [63:0] Msip = 64'h200_0000;
  typedef enum logic [1:0] { SENDS, RECEIVES, ACCESSES, IDLES } state_e;
  state_e state_q;
  logic write_q, two_q;  // two words, or one
  logic unseen_q;        // the last store that was emitted
  logic [63:0] store, mask;
  logic [2:0] word_q, last;
  logic [63:0] addr_q, data_q;

  assign store = store_i.data << {store_i.addr[2:0], 3'd0};
  assign mask = ~('1 << (7'd8 << store_i.size)) << {store_i.addr[2:0], 3'd0};
  assign in_valid_o = state_q == SENDS;
  assign last = write_q ? 3'd5 + 3'(two_q) : 3'd4;
  always_comb
    case (word_q)
      3'd0: in_bits_o = 32'(write_q);
      3'd1: in_bits_o = addr_q[31:0];
      3'd2: in_bits_o = addr_q[63:32];
      3'd3: in_bits_o = 32'(two_q);
      3'd4: in_bits_o = '0;
      3'd5: in_bits_o = data_q[31:0];
      default: in_bits_o = data_q[63:32];
    endcase

  always_ff @(posedge clk_i) begin
    automatic logic [63:0] word;
    automatic logic write;
    if (!rst_ni) begin
      state_q <= SENDS;
      write_q <= 1'b1;
      two_q <= 1'b0;
      word_q <= '0;
      addr_q <= Msip;
      data_q <= 64'd1;
      unseen_q <= 1'b0;
    end else begin
      case (state_q)
        SENDS:
          if (in_ready_i) begin
            word_q <= word_q == last ? '0 : word_q + 3'd1;
            if (word_q == last) state_q <= write_q ? IDLES : RECEIVES;
          end
        RECEIVES:
          if (out_valid_i) begin
            data_q <= {out_bits_i, data_q[63:32]};
            word_q <= word_q[0] ? '0 : 3'd1;
            if (word_q[0]) state_q <= ACCESSES;
          end
        ACCESSES:
          if (unseen_q) begin
            unseen_q <= ((data_q ^ store) & mask) != '0;
            state_q <= IDLES;
          end else begin
            write = tipoff_host_access(1, data_q, word) != 0;
            write_q <= write;
            data_q <= word;
            state_q <= write ? SENDS : IDLES;
          end
        default:
          if (host_i) begin
            if (unseen_q) word = {24'b0, store_i.addr[39:3], 3'b0};
            else word = tipoff_host_address();
            addr_q <= word;
            write_q <= 1'b0;
            two_q <= 1'b1;
            if (word != '0) state_q <= SENDS;
          end
      endcase
      if (emitted_i) unseen_q <= 1'b1;
    end
  end
endmodule
