// The RAMs of rtl/prim side by side, each at several sizes: the bench drives one size at a time, with ports for the
// largest.
module ram_tb (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [2:0] size_i,               // whom the enables are for
  input  logic [3:0] read_i,
  input  logic [8:0] read_addr_i [4],
  input  logic [3:0] write_i,              // mp_ram: ports; sync_ram: lanes
  input  logic [8:0] write_addr_i [4],     // sync_ram: the first
  input  logic [63:0] write_data_i [4],    // sync_ram: the first; a wider word is filled up with its inverse
  output int words_o [5],
  output int width_o [5],
  output int sync_reads_o [5],
  output int lanes_o [5],
  output int mp_reads_o [5],
  output int writes_o [5],
  output int cleared_o [5],
  output int again_o [5],
  output logic [63:0] sync_o [20],         // size, then port
  output logic [63:0] sync_high_o [20],    // what is above 64 bits
  output logic [63:0] mp_o [20]
);
  localparam int unsigned Words [5] = '{2, 3, 16, 48, 512}, Width [5] = '{1, 13, 40, 64, 128};
  localparam int unsigned SyncReads [5] = '{1, 2, 1, 4, 1}, Lanes [5] = '{1, 1, 4, 2, 1};
  localparam int unsigned MpReads [5] = '{1, 2, 4, 3, 1}, Writes [5] = '{1, 2, 3, 4, 1};
  localparam int unsigned Cleared [5] = '{0, 0, 4, 10, 0}, Again [5] = '{0, 0, 0, 20, 0};

  for (genvar s = 0; s < 5; s++) begin : gen_size
    localparam int unsigned AddrBits = $clog2(Words[s]);
    typedef logic [Width[s]-1:0] data_t;
    logic here;
    data_t wide [4];
    assign here = size_i == 3'(s);
    for (genvar w = 0; w < 4; w++) begin : gen_data
      assign wide[w] = data_t'({~write_data_i[w], write_data_i[w]});
    end

    logic [SyncReads[s]-1:0][AddrBits-1:0] sync_addr;
    logic [SyncReads[s]-1:0][Width[s]-1:0] sync;
    for (genvar r = 0; r < SyncReads[s]; r++) begin : gen_sync_port
      assign sync_addr[r] = AddrBits'(read_addr_i[r]);
    end
    sync_ram #(.Words(Words[s]), .Width(Width[s]), .Lanes(Lanes[s]), .Reads(SyncReads[s]), .Meet(s != 1)) u_sync (
      .clk_i, .rst_ni, .read_i(here ? read_i[SyncReads[s]-1:0] : '0), .read_addr_i(sync_addr), .data_o(sync),
      .write_i(here ? write_i[Lanes[s]-1:0] : '0), .write_addr_i(AddrBits'(write_addr_i[0])), .write_data_i(wide[0])
    );

    logic [AddrBits-1:0] mp_addr [MpReads[s]], mp_write_addr [Writes[s]];
    data_t mp [MpReads[s]], mp_data [Writes[s]];
    for (genvar r = 0; r < MpReads[s]; r++) begin : gen_mp_read
      assign mp_addr[r] = AddrBits'(read_addr_i[r]);
    end
    for (genvar w = 0; w < Writes[s]; w++) begin : gen_mp_write
      assign mp_write_addr[w] = AddrBits'(write_addr_i[w]);
      assign mp_data[w] = wide[w];
    end
    mp_ram #(.Words(Words[s]), .Width(Width[s]), .Reads(MpReads[s]), .Writes(Writes[s]), .Cleared(Cleared[s]),
             .Again(Again[s])) u_mp (
      .clk_i, .rst_ni, .read_i(read_i[MpReads[s]-1:0]), .read_addr_i(mp_addr), .data_o(mp),
      .write_i(here ? write_i[Writes[s]-1:0] : '0), .write_addr_i(mp_write_addr), .write_data_i(mp_data)
    );

    assign words_o[s] = Words[s];
    assign width_o[s] = Width[s];
    assign sync_reads_o[s] = SyncReads[s];
    assign lanes_o[s] = Lanes[s];
    assign mp_reads_o[s] = MpReads[s];
    assign writes_o[s] = Writes[s];
    assign cleared_o[s] = Cleared[s];
    assign again_o[s] = Again[s];
    for (genvar r = 0; r < 4; r++) begin : gen_out
      if (r < SyncReads[s]) begin : gen_sync
        assign sync_o[4*s+r] = 64'(sync[r]);
        assign sync_high_o[4*s+r] = 64'(128'(sync[r]) >> 64);
      end else begin : gen_no_sync
        assign sync_o[4*s+r] = '0;
        assign sync_high_o[4*s+r] = '0;
      end
      if (r < MpReads[s]) begin : gen_mp
        assign mp_o[4*s+r] = 64'(mp[r]);
      end else begin : gen_no_mp
        assign mp_o[4*s+r] = '0;
      end
    end
  end
endmodule
