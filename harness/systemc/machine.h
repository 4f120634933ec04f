// The harness's machine as a SystemC module: memory with its timing (harness/memory.h) and the devices as TLM-2.0
// targets.
//
// Base protocol, non-blocking: a request is accepted at once (END_REQ) and done at the falling edge of some cycle
// (BEGIN_RESP); a write of a line is over at once. Requests have to come between a rising edge and the falling edge
// after it, and where line_ready is false, none of a line. Signals change at the falling edge.
#ifndef TIPOFF_HARNESS_SYSTEMC_MACHINE_H
#define TIPOFF_HARNESS_SYSTEMC_MACHINE_H

#include "harness/systemc/line.h"
#include <systemc>
#include <tlm_utils/simple_target_socket.h>
extern "C" {
#include "trace/dpi.h"
}

namespace tipoff {

class machine : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clk;
    tlm_utils::simple_target_socket_tagged<machine> fetch, data, device;
    sc_core::sc_out<bool> line_ready;
    sc_core::sc_out<bool> msip, mtip, meip, seip;
    sc_core::sc_out<uint64_t> mtime;
    sc_core::sc_out<bool> host;

    // harness: whose memory and devices these are.
    machine(sc_core::sc_module_name name, const dpi_client &harness);
    SC_HAS_PROCESS(machine);

  private:
    enum { DEVICE = DPI_PORTS, PORTS };
    enum { IDS = 32 };
    struct port {
        tlm_utils::simple_target_socket_tagged<machine> *socket;
        tlm::tlm_generic_payload *asked[IDS]; // by the numbers that they have at the port
    };

    tlm::tlm_sync_enum forward(int to, tlm::tlm_generic_payload &what, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    void step();
    void respond(int from, unsigned id, bool llc_miss, bool error);

    const dpi_client harness;
    port ports[PORTS];
};

} // namespace tipoff

#endif
