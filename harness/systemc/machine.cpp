// The harness's machine as a SystemC module: transactions become its calls, and a tick's answer becomes responses and
// signals.
#include "harness/systemc/machine.h"
#include <cstring>

namespace tipoff {

using tlm::tlm_generic_payload;

machine::machine(sc_core::sc_module_name, const dpi_client &client)
    : clk("clk"), fetch("fetch"), data("data"), device("device"), line_ready("line_ready"), msip("msip"), mtip("mtip"),
      meip("meip"), seip("seip"), mtime("mtime"), host("host"),
      harness(client), ports{{&fetch, {}}, {&data, {}}, {&device, {}}} {
    for (int i = 0; i < PORTS; i++)
        ports[i].socket->register_nb_transport_fw(this, &machine::forward, i);
    SC_METHOD(step);
    sensitive << clk.neg();
    dont_initialize();
}

tlm::tlm_sync_enum machine::forward(int to, tlm_generic_payload &what, tlm::tlm_phase &phase, sc_core::sc_time &) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    const line_extension *line = what.get_extension<line_extension>();
    unsigned id = line ? line->id % IDS : 0;
    if (to == DEVICE) {
        uint64_t word = 0;
        memcpy(&word, what.get_data_ptr(), what.get_data_length());
        harness.device_request(harness.context, what.is_write(), what.get_data_length(), what.get_address(), word);
        id = 0;
    } else if (what.is_write()) {
        uint64_t words[8];
        memcpy(words, what.get_data_ptr(), sizeof words);
        harness.line_write(harness.context, to, what.get_address(), words);
        what.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    } else {
        harness.line_read(harness.context, to, id, what.get_address());
    }
    what.acquire();
    ports[to].asked[id] = &what;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void machine::respond(int from, unsigned id, bool llc_miss, bool error) {
    tlm_generic_payload *what = ports[from].asked[id];
    if (what->is_read() && from == DEVICE) {
        uint64_t word = harness.device_data(harness.context);
        memcpy(what->get_data_ptr(), &word, what->get_data_length());
    } else if (what->is_read()) {
        uint64_t words[8];
        harness.line_data(harness.context, from, words);
        memcpy(what->get_data_ptr(), words, sizeof words);
        if (line_extension *line = what->get_extension<line_extension>()) line->llc_miss = llc_miss;
    }
    what->set_response_status(error ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*ports[from].socket)->nb_transport_bw(*what, phase, delay);
    what->release();
}

void machine::step() {
    uint64_t now;
    uint32_t code = harness.tick(harness.context, &now);
    if (code & TICK_INSN_RESPONSE)
        respond(DPI_PORT_INSN, code >> TICK_INSN_ID & (IDS - 1), code & TICK_INSN_LLC_MISS, code & TICK_INSN_ERROR);
    if (code & TICK_DATA_RESPONSE)
        respond(DPI_PORT_DATA, code >> TICK_DATA_ID & (IDS - 1), code & TICK_DATA_LLC_MISS, code & TICK_DATA_ERROR);
    if (code & TICK_DEVICE_RESPONSE) respond(DEVICE, 0, false, code & TICK_DEVICE_ERROR);
    line_ready = (code & TICK_DATA_READY) != 0;
    msip = (code & TICK_MSIP) != 0;
    mtip = (code & TICK_MTIP) != 0;
    meip = (code & TICK_MEIP) != 0;
    seip = (code & TICK_SEIP) != 0;
    host = (code & TICK_HOST) != 0;
    mtime = now;
}

} // namespace tipoff
