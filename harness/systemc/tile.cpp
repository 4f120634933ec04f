// The tile as a SystemC module: the model's calls become transactions, and what has come becomes their answers.
#include "harness/systemc/tile.h"
#include <algorithm>
#include <cstring>

namespace tipoff {

using tlm::tlm_generic_payload;

tile::tile(sc_core::sc_module_name, sc_core::sc_time period, const model_api &model, const dpi_client &client)
    : clk("clk"), fetch("fetch"), data("data"), device("device"), line_ready("line_ready"), msip("msip"), mtip("mtip"),
      meip("meip"), seip("seip"), mtime("mtime"), host("host"), api(model), observers(client), own(calls()),
      answered(0.75 * period), ports{{&fetch, false, false, {}, nullptr},
                                     {&data, false, false, {}, nullptr},
                                     {&device, false, false, {}, nullptr}},
      stepped(nullptr), left(0), ran(0), stop(nullptr), writes(false), write_address(0), write_result(0),
      write_value(0) {
    for (int i = 0; i < PORTS; i++)
        ports[i].socket->register_nb_transport_bw(this, &tile::backward, i);
    SC_THREAD(step);
    set_stack_size(4 << 20); // of the model, and of those who watch it
}

// ---- the clock ----
void tile::step() {
    static const volatile int never = 0;
    for (;;) {
        wait(clk.posedge_event());
        if (writes) {
            write_result = api.csr_write(stepped, write_address, write_value);
            writes = false;
            left = 0;
        } else if (api.run(stepped, 1, &never) == 0) {
            left = 0; // an assertion has ended it
        } else {
            ran++;
            left = *stop ? 0 : left - 1;
        }
        if (left == 0) sc_core::sc_pause();
    }
}

uint64_t tile::run(model *m, uint64_t cycles, const volatile int *until) {
    if (cycles == 0 || *until) return 0;
    stepped = m;
    left = cycles;
    ran = 0;
    stop = until;
    sc_core::sc_start();
    return ran;
}

int tile::csr_write(model *m, int address, uint64_t value) {
    uint64_t unused;
    if (api.csr_read(m, address, &unused) < 0) return api.csr_write(m, address, value); // no such CSR takes no cycle
    stepped = m;
    writes = true;
    write_address = address;
    write_value = value;
    sc_core::sc_start();
    return write_result;
}

// ---- sockets ----
void tile::arrived(port *at, tlm_generic_payload *response) {
    // An error is the core's to deal with, but for the write of a line, which it does not wait for.
    if (response->is_response_error() && response->is_write() && at != &ports[DEVICE])
        SC_REPORT_FATAL(name(), ("response of a target: " + response->get_response_string()).c_str());
    at->asking = at->busy = false;
    if (response->is_read() || at == &ports[DEVICE]) {
        at->responses.push_back(response);
    } else {
        response->release(); // a write of a line has none
    }
}

void tile::request(int to, tlm::tlm_command command, uint64_t address, unsigned bytes, unsigned id, const void *out) {
    port *p = &ports[to];
    tlm_generic_payload *what = pool.make(command, address, bytes, id);
    if (out) memcpy(what->get_data_ptr(), out, bytes);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    p->asking = p->busy = true;
    switch ((*p->socket)->nb_transport_fw(*what, phase, delay)) {
    case tlm::TLM_ACCEPTED: break;
    case tlm::TLM_UPDATED: backward(to, *what, phase, delay); break;
    case tlm::TLM_COMPLETED: arrived(p, what); break;
    }
}

tlm::tlm_sync_enum tile::backward(int from, tlm_generic_payload &what, tlm::tlm_phase &phase, sc_core::sc_time &) {
    if (phase == tlm::END_REQ) {
        ports[from].asking = false;
        return tlm::TLM_ACCEPTED;
    }
    arrived(&ports[from], &what); // BEGIN_RESP
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

// The oldest response, if there is one: it is the core's now.
tlm_generic_payload *tile::take(port *from) {
    if (from->responses.empty()) return nullptr;
    from->taken = from->responses.front();
    from->responses.pop_front();
    return from->taken;
}

void tile::give(port *from, void *to, size_t bytes) {
    memset(to, 0, bytes);
    memcpy(to, from->taken->get_data_ptr(), std::min<size_t>(bytes, from->taken->get_data_length()));
    from->taken->release();
}

// ---- the model's calls: order and meaning as in trace/dpi.h ----
uint32_t tile::tick(uint64_t *now) {
    wait(answered); // the model's step is not over: its registers take what has arrived then
    uint32_t code = (msip ? TICK_MSIP : 0u) | (mtip ? TICK_MTIP : 0u) | (meip ? TICK_MEIP : 0u) |
                    (seip ? TICK_SEIP : 0u) | (host ? TICK_HOST : 0u);
    *now = mtime;
    if (line_ready && !ports[DPI_PORT_INSN].asking) code |= TICK_INSN_READY;
    if (line_ready && !ports[DPI_PORT_DATA].asking) code |= TICK_DATA_READY;
    if (const tlm_generic_payload *insn = take(&ports[DPI_PORT_INSN])) {
        const line_extension *line = insn->get_extension<line_extension>();
        if (insn->is_response_error()) code |= TICK_INSN_ERROR;
        code |= TICK_INSN_RESPONSE | (line->llc_miss ? TICK_INSN_LLC_MISS : 0u) | line->id << TICK_INSN_ID;
    }
    if (const tlm_generic_payload *line_data = take(&ports[DPI_PORT_DATA])) {
        const line_extension *line = line_data->get_extension<line_extension>();
        if (line_data->is_response_error()) code |= TICK_DATA_ERROR;
        code |= TICK_DATA_RESPONSE | (line->llc_miss ? TICK_DATA_LLC_MISS : 0u) | line->id << TICK_DATA_ID;
    }
    if (!ports[DEVICE].busy) code |= TICK_DEVICE_READY;
    if (const tlm_generic_payload *word = take(&ports[DEVICE]))
        code |= TICK_DEVICE_RESPONSE | (word->is_response_error() ? TICK_DEVICE_ERROR : 0u);
    return code;
}

// A function of the observers.
template <typename RESULT, typename... ARGUMENT, RESULT (*dpi_client::*MEMBER)(void *, ARGUMENT...)>
struct tile::pass_on<MEMBER> {
    static RESULT call(void *context, ARGUMENT... argument) {
        const dpi_client &to = static_cast<tile *>(context)->observers;
        return (to.*MEMBER)(to.context, argument...);
    }
};

dpi_client tile::calls() {
    dpi_client c = {}; // no function of the observers by itself: its context would be the tile
    c.context = this;
    c.options = observers.options;
    c.tohost_address = observers.tohost_address;
    c.ideal_parts = observers.ideal_parts;
    c.memory_bytes = pass_on<&dpi_client::memory_bytes>::call;
    c.line_read = [](void *t, int port, unsigned id, uint64_t addr) {
        static_cast<tile *>(t)->request(port, tlm::TLM_READ_COMMAND, addr, transactions::LINE, id, nullptr);
    };
    c.line_write = [](void *t, int port, uint64_t addr, const uint64_t words[8]) {
        static_cast<tile *>(t)->request(port, tlm::TLM_WRITE_COMMAND, addr, transactions::LINE, 0, words);
    };
    c.device_request = [](void *t, bool write, unsigned bytes, uint64_t addr, uint64_t word) {
        static_cast<tile *>(t)->request(DEVICE, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, addr, bytes, 0,
                                        &word);
    };
    c.tick = [](void *t, uint64_t *now) { return static_cast<tile *>(t)->tick(now); };
    c.line_data = [](void *t, int port, uint64_t words[8]) {
        static_cast<tile *>(t)->give(&static_cast<tile *>(t)->ports[port], words, transactions::LINE);
    };
    c.device_data = [](void *t) {
        uint64_t word;
        static_cast<tile *>(t)->give(&static_cast<tile *>(t)->ports[DEVICE], &word, sizeof word);
        return word;
    };
    c.tile_read = pass_on<&dpi_client::tile_read>::call;
    c.tile_response = pass_on<&dpi_client::tile_response>::call;
    c.lost_store = pass_on<&dpi_client::lost_store>::call;
    c.dirty_line = pass_on<&dpi_client::dirty_line>::call;
    c.cycle = pass_on<&dpi_client::cycle>::call;
    c.quiet = pass_on<&dpi_client::quiet>::call;
    c.trigger = pass_on<&dpi_client::trigger>::call;
    c.sample = pass_on<&dpi_client::sample>::call;
    if (observers.instruction) c.instruction = pass_on<&dpi_client::instruction>::call;
    c.tohost = pass_on<&dpi_client::tohost>::call;
    c.host_address = pass_on<&dpi_client::host_address>::call;
    c.host_access = pass_on<&dpi_client::host_access>::call;
    c.ideal_read = pass_on<&dpi_client::ideal_read>::call;
    c.ideal_write = pass_on<&dpi_client::ideal_write>::call;
    c.ideal_table = pass_on<&dpi_client::ideal_table>::call;
    c.ideal_packet = pass_on<&dpi_client::ideal_packet>::call;
    c.ideal_store = pass_on<&dpi_client::ideal_store>::call;
    return c;
}

} // namespace tipoff
