// Top of every Verilated model: the tile, the machine around it and the monitor. Clock and reset are the only inputs;
// everything else goes through DPI. Reset is registered before use (a raw top input costs speed in Verilator).
//
// Who reads the tile's insides by name begins at the instance that stands beside it (u_tile.), not at this module: in a
// model of several tiles, each with its readers beside it, everybody reads its own.
module sim_top
  import core_pkg::*;
  import line_pkg::*;
  import dpi_pkg::tile_line_t;
  import dpi_pkg::tipoff_memory_bytes;
  import config_pkg::Regions;
  import config_pkg::IdealSockets;
  import config_pkg::ProfileTags;
  import records_pkg::*;
  import rvfi_pkg::*;
  import memory_map_pkg::*;
(
  input logic clk_i,
  input logic rst_ni
);
  logic rst_n_q;
  initial rst_n_q = 1'b0;  // in reset from the very first clock edge on
  always_ff @(posedge clk_i) rst_n_q <= rst_ni;

  memory_out_t tile_asks, memory_asks;
  memory_in_t tile_gets, memory_gives;
  hub_pkg::hub_out_t to_hub;
  hub_pkg::hub_in_t from_hub;
  lost_store_t lost;
  machine_t machine_lines;
  commit_bundle_t bundle;
  sample_t sample;
  oir_t oir;
  rvfi_t rvfi;
  logic program_trigger, trigger, sample_taken, sample_ready, reads, host;
  profile_pkg::stale_t stale;
  profile_pkg::coherence_t coherence;
  word_t cycles, instructions, hart_id;

  // What the harness samples and counts, and what the platform ties.
  harness_unit u_harness (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .stale_i(stale), .coherence_i(coherence),
    .program_trigger_i(program_trigger), .cycles_i(cycles), .instructions_i(instructions), .trigger_o(trigger),
    .reads_o(reads), .sample_taken_o(sample_taken), .sample_ready_o(sample_ready),
    /* verilator lint_off PINCONNECTEMPTY */  // what the program's unit shows is cross-checked
    .sample_o(), .oir_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .hart_id_o(hart_id)
  );
  dirty_lines u_dirty_lines ();
  warm_lines u_warm_lines (.clk_i(clk_i), .rst_ni(rst_n_q));

  // The size of memory is the run's choice, and not the model's.
  word_t memory_mask;
  initial memory_mask = -tipoff_memory_bytes();
  region_t region [Regions];
  for (genvar i = 0; i < Regions; i++) begin : gen_region
    localparam bit IsDram = i == DramRegion;
    assign region[i] = '{base: RegionBase[i], mask: IsDram ? memory_mask : RegionMask[i], attributes: RegionIs[i]};
  end

  tile u_tile (
    .clk_i(clk_i), .rst_ni(rst_n_q),
    .memory_o(tile_asks), .memory_i(tile_gets), .hub_o(to_hub), .hub_i(from_hub),
    .machine_i(machine_lines), .reset_pc_i(ResetPc), .region_i(region), .lost_o(lost), .rvfi_o(rvfi),
    .bundle_o(bundle), .reads_i(reads), .stale_o(stale), .coherence_o(coherence), .sample_o(sample), .oir_o(oir),
    .sample_trigger_o(program_trigger)
  );

  logic writes;
  tile_line_t tile_lines [2];
  bus u_bus (
    .clk_i(clk_i), .rst_ni(rst_n_q),
    .tile_i(tile_asks), .tile_o(tile_gets), .memory_o(memory_asks), .memory_i(memory_gives),
    .lines_o(tile_lines), .writes_o(writes)
  );

  machine u_machine (
    .clk_i(clk_i), .rst_ni(rst_n_q),
    .memory_i(memory_asks), .memory_o(memory_gives),
    .lost_i(lost), .tile_i(tile_lines), .hub_i(to_hub), .hub_o(from_hub),
    .hart_id_i(hart_id), .machine_o(machine_lines), .host_o(host)
  );

  if (IdealSockets != 0) begin : gen_ideal_parts
    /* verilator lint_off UNUSEDSIGNAL */  // the sockets in the core read them by name
    ideal_pkg::parts_t ideal_parts;
    int unsigned now;
    word_t left, redirect_to;
    /* verilator lint_on UNUSEDSIGNAL */
    ideal u_ideal (.clk_i(clk_i), .rst_ni(rst_n_q), .commit_i(bundle.commit), .parts_o(ideal_parts), .now_o(now),
                   .left_o(left), .redirect_o(redirect_to));
  end

  if (ProfileTags != 0) begin : gen_life
    harness_life u_harness_life (.clk_i(clk_i), .rst_ni(rst_n_q));
  end

  htif u_htif (.clk_i(clk_i), .rst_ni(rst_n_q), .host_i(host), .writes_i(writes));

  signals u_signals ();
  life_events u_life_events ();
  access_events u_access_events ();

  monitor u_monitor (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .rvfi_i(rvfi), .sample_i(sample), .oir_i(oir),
    .trigger_i(trigger), .sample_taken_i(sample_taken),
    .sample_ready_i(sample_ready), .cycle_o(cycles), .instructions_o(instructions)
  );
endmodule
