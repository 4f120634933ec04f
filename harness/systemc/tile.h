// The tile as a SystemC module: a Verilated model (harness/model.h) behind TLM-2.0 sockets.
//
//   fetch, data   line misses: reads and, of data, writes of 64 bytes; only begun while line_ready is true
//   device        one access at a time, of 1 to 8 bytes
//
// All three speak the base protocol, non-blocking. A cycle of the clock, whose duty is even:
//
//   rising edge       the tile takes its step; the requests of the cycle leave (BEGIN_REQ)
//   falling edge      the machine may take its own: responses (BEGIN_RESP), line_ready, interrupts, time
//   a quarter later   the tile takes what has arrived, as registers do: it is the core's in the next cycle
//
// One response is taken a port and cycle; what else has come waits. What the tile shows to observers goes to a
// dpi_client (trace/dpi.h) that is not part of the bus. One tile a process: its calls go to the context entered last.
#ifndef TIPOFF_HARNESS_SYSTEMC_TILE_H
#define TIPOFF_HARNESS_SYSTEMC_TILE_H

#include "harness/systemc/line.h"
#include <deque>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
extern "C" {
#include "harness/model.h"
#include "trace/dpi.h"
}

namespace tipoff {

class tile : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clk;
    tlm_utils::simple_initiator_socket_tagged<tile> fetch, data, device;
    sc_core::sc_in<bool> line_ready;
    sc_core::sc_in<bool> msip, mtip, meip, seip;
    sc_core::sc_in<uint64_t> mtime;
    sc_core::sc_in<bool> host; // HTIF: the host wants to look at memory

    // observers: get what the tile shows; they answer nothing for memory and devices.
    tile(sc_core::sc_module_name name, sc_core::sc_time period, const model_api &api, const dpi_client &observers);
    SC_HAS_PROCESS(tile);

    // Of the model, in the place of the observers': to attach before it is created.
    const dpi_client &client() const { return own; }

    // From outside of the simulation, as model_api has them: SystemC's time goes on by as many cycles of the clock.
    uint64_t run(model *m, uint64_t cycles, const volatile int *stop);
    int csr_write(model *m, int address, uint64_t value);

  private:
    enum { DEVICE = DPI_PORTS, PORTS };
    struct port {
        tlm_utils::simple_initiator_socket_tagged<tile> *socket;
        bool asking, busy;                                // BEGIN_REQ without END_REQ; without a response
        std::deque<tlm::tlm_generic_payload *> responses; // not taken yet
        tlm::tlm_generic_payload *taken;                  // until its data have been read
    };

    void step();
    void request(int to, tlm::tlm_command command, uint64_t address, unsigned bytes, unsigned id,
                 const void *bytes_out);
    void arrived(port *at, tlm::tlm_generic_payload *response);
    tlm::tlm_generic_payload *take(port *from);
    void give(port *from, void *to, size_t bytes);
    uint32_t tick(uint64_t *now);
    tlm::tlm_sync_enum backward(int from, tlm::tlm_generic_payload &what, tlm::tlm_phase &phase,
                                sc_core::sc_time &delay);
    dpi_client calls();
    template <auto MEMBER> struct pass_on;

    const model_api api;
    const dpi_client observers, own;
    const sc_core::sc_time answered; // from the rising edge on
    transactions pool;
    port ports[PORTS];

    // What run or csr_write ask of the process.
    model *stepped;
    uint64_t left, ran; // cycles
    const volatile int *stop;
    bool writes; // an ordinary cycle does not
    int write_address, write_result;
    uint64_t write_value;
};

} // namespace tipoff

#endif
