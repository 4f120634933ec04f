// Several coherent tiles of one configuration as one design: the tiles, their links, and the hub, in front of one
// memory that takes lines. Devices, interrupt lines and time are each tile's own ports, as of `tile`; the platform
// gives each its number (machine_i.hart_id), from 0 on.
//
//   tile --> tile's device port
//     '----> link --> hub --> memory_req_o, reads answered in any order (memory_resp_i)
//
// A run of as many harts (harness/links.h) has the same cycles. The memory answers what the hub asks: of a latency
// that a hart is to see, both links and the hub's own 4 cycles are part.
module soc
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import records_pkg::*;
  import rvfi_pkg::*;
  import profile_pkg::*;
#(
  parameter int unsigned Harts = 2    // 1 to 16
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  output line_req_t      memory_req_o,
  output logic           memory_insn_o,    // the read is an instruction miss's
  input  logic           memory_ready_i,
  input  line_resp_t     memory_resp_i,
  output device_req_t    device_o [Harts],
  input  device_in_t     device_i [Harts],
  input  machine_t       machine_i [Harts],
  // tied by the platform
  input  word_t          reset_pc_i,
  input  region_t        region_i [Regions],
  output lost_store_t    lost_o [Harts],
  // observation
  output rvfi_t          rvfi_o [Harts],
  output commit_bundle_t bundle_o [Harts],
  input  logic           reads_i [Harts],
  output stale_t         stale_o [Harts],
  output coherence_t     coherence_o [Harts],
  output sample_t        sample_o [Harts],
  output oir_t           oir_o [Harts],
  output logic           sample_trigger_o [Harts]
);
  if (HartsCoherent == 0) $error("soc: the tile has no port to a hub: harts.coherent must be 1");

  // Of a tile at once: its data cache's misses, and 4 of its instruction cache (tile_port).
  localparam int unsigned Requests = 1 << $clog2(DcMshrs + 4);
  hub_pkg::hub_out_t tile_out [Harts], hub_out [Harts];
  hub_pkg::hub_in_t tile_in [Harts], hub_in [Harts];
  hub_pkg::hub_request_t request [Harts];
  hub_pkg::hub_up_t up [Harts];
  hub_pkg::hub_done_t done [Harts];
  hub_pkg::hub_down_t down [Harts];
  hub_pkg::hub_answer_t answer [Harts];

  for (genvar h = 0; h < Harts; h++) begin : gen_hart
    /* verilator lint_off UNUSEDSIGNAL */  // lines go by the hub
    memory_out_t asks;
    /* verilator lint_on UNUSEDSIGNAL */
    assign device_o[h] = asks.device;
    tile u_tile (
      .clk_i, .rst_ni,
      .memory_o(asks), .memory_i('{device: device_i[h], default: '0}), .hub_o(tile_out[h]), .hub_i(tile_in[h]),
      .machine_i(machine_i[h]), .reset_pc_i, .region_i, .lost_o(lost_o[h]), .rvfi_o(rvfi_o[h]),
      .bundle_o(bundle_o[h]), .reads_i(reads_i[h]), .stale_o(stale_o[h]), .coherence_o(coherence_o[h]),
      .sample_o(sample_o[h]), .oir_o(oir_o[h]), .sample_trigger_o(sample_trigger_o[h])
    );
    hub_link u_link (
      .clk_i, .rst_ni, .tile_i(tile_out[h]), .hub_o(hub_out[h]), .hub_i(hub_in[h]), .tile_o(tile_in[h])
    );
    assign request[h] = hub_out[h].request;
    assign up[h] = hub_out[h].up;
    assign done[h] = hub_out[h].done;
    assign hub_in[h] = '{down: down[h], answer: answer[h]};
  end

  hub #(.Harts(Harts), .Requests(Requests), .Transactions(hub_pkg::MostTransactions), .Victims(16)) u_hub (
    .clk_i, .rst_ni, .present_i('1), .request_i(request), .up_i(up), .down_o(down), .answer_o(answer), .done_i(done),
    .memory_req_o, .memory_insn_o, .memory_ready_i, .memory_resp_i
  );
endmodule
