// `tipoff run` as a SystemC simulation: tile and machine as modules, the harness around them as it is
// (docs/guide/systemc.md).
//
// The harness loads, checks, samples and writes as ever. Where it makes its model, the model becomes a tile, and its
// memory and devices a machine; where it runs the model, SystemC's scheduler runs.
#include "harness/systemc/machine.h"
#include "harness/systemc/tile.h"
#include <cstdio>
#include <cstring>
#include <memory>
extern "C" {
#include "cli/cli.h"
#include "harness/simulation.h"
}

namespace {

struct platform : sc_core::sc_module {
    sc_core::sc_clock clk;
    tipoff::tile tile;
    tipoff::machine machine;
    sc_core::sc_signal<bool> line_ready, msip, mtip, meip, seip, host;
    sc_core::sc_signal<uint64_t> mtime;

    platform(sc_core::sc_module_name, sc_core::sc_time period, const model_api &api, const dpi_client &harness)
        : clk("clk", period, 0.5, period), tile("tile", period, api, harness), machine("machine", harness) {
        tile.clk(clk), machine.clk(clk);
        tile.fetch.bind(machine.fetch), tile.data.bind(machine.data), tile.device.bind(machine.device);
        tile.line_ready(line_ready), machine.line_ready(line_ready);
        tile.msip(msip), machine.msip(msip);
        tile.mtip(mtip), machine.mtip(mtip);
        tile.meip(meip), machine.meip(meip);
        tile.seip(seip), machine.seip(seip);
        tile.mtime(mtime), machine.mtime(mtime);
        tile.host(host), machine.host(host);
    }
};

tipoff::tile &the_tile() {
    return dynamic_cast<platform &>(*sc_core::sc_find_object("platform")).tile;
}

void connect(void *context, uint32_t clock_mhz, model_api *api, dpi_client *client) {
    auto &made = *static_cast<std::unique_ptr<platform> *>(context);
    made = std::make_unique<platform>("platform", sc_core::sc_time(1e6 / clock_mhz, sc_core::SC_PS), *api, *client);
    *client = made->tile.client();
    api->run = [](model *m, uint64_t cycles, const volatile int *stop) { return the_tile().run(m, cycles, stop); };
    api->csr_write = [](model *m, int address, uint64_t value) { return the_tile().csr_write(m, address, value); };
}

} // namespace

int sc_main(int argc, char **argv) {
    cli_start();
    if (argc < 2 || strcmp(argv[1], "run")) {
        fputs("Usage: tipoff-systemc run [OPTION...] PROGRAM.elf\nAs `tipoff run`, as a SystemC simulation; "
              "`tipoff-systemc run --help` lists the options.\n",
              stderr);
        return STATUS_BAD_INPUT;
    }
    std::unique_ptr<platform> made;
    const simulation_platform systemc = {&made, connect};
    run_for as = {};
    as.platform = &systemc;
    return run_as(argc - 1, argv + 1, &as);
}
