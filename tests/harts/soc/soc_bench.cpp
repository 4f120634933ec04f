// Two harts as two models, and as one model of both tiles, their links and the hub (rtl/soc/soc.sv): what leaves each
// hart has to be the same, in the same cycle.
//
//   build/CONFIG/soc-bench [OPTION...] PROGRAM    as `tipoff run --config CONFIG --harts 2`
//
// That run comes first, with all its checks: what its harts retire is kept. Then the one model runs with the same
// memory, links to it and devices (harness/): to links.c it is a hub that nobody sends messages to.
extern "C" {
#include "cli/cli.h"
#include "harness/board.h"
#include "harness/host.h"
#include "harness/links.h"
#include "harness/simulation.h"
#include "harness/soc.h"
#include "memory_map.h"
#include "trace/dpi.h"
}
#include "Vsoc_tb.h"
#include "model_digest.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

enum { HARTS = 2 };

// ---- what leaves a hart: an instruction, or a trap (value: its tval, address: its cause, from 256 on interrupts) ----
struct left {
    uint64_t cycle, trap, pc, insn, rd, value, address, data, bytes;
};

bool same(const left &a, const left &b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

void print(const char *whose, const left &l) {
    printf("  %s: cycle %" PRIu64 ", %s 0x%" PRIx64 ", instruction 0x%" PRIx64 ", rd %" PRIu64 " = 0x%" PRIx64
           ", %" PRIu64 " bytes at 0x%" PRIx64 " = 0x%" PRIx64 "\n",
           whose, l.cycle, l.trap ? "trap at" : "pc", l.pc, l.insn, l.rd, l.value, l.bytes, l.address, l.data);
}

uint64_t low(uint64_t data, uint64_t bytes) {
    return bytes < 8 ? data & ((UINT64_C(1) << 8 * bytes) - 1) : data;
}

// ---- the harts of the run ----
enum { NO_RD = 64 };
struct seen {
    dpi_client behind; // what its calls went to
    std::vector<left> list;
};
struct watched {
    seen harts[HARTS];
    unsigned count;
};

watched the_run;

void keep(seen *s, const trace_cycle *cycle) {
    for (unsigned i = 0; i < cycle->left.count; i++) {
        const retired *r = &cycle->left.retired[i];
        s->list.push_back({cycle->cycle, false, r->pc, r->insn, r->rd_written ? r->rd | (r->rd_fp ? 32u : 0u) : NO_RD,
                           r->rd_written ? r->rd_value : 0, r->stored ? r->store_addr : 0,
                           r->stored ? low(r->store_data, r->store_bytes) : 0, r->stored ? r->store_bytes : 0u});
    }
    const trapped *t = &cycle->left.trap;
    if (t->valid)
        s->list.push_back({cycle->cycle, true, t->epc, 0, NO_RD, t->tval, t->cause | (t->interrupt ? 256u : 0u), 0, 0});
}

template <unsigned H> void on_cycle(void *context, const trace_cycle *cycle) {
    keep(&the_run.harts[H], cycle);
    the_run.harts[H].behind.cycle(context, cycle);
}

void connect(void *context, uint32_t, model_api *, dpi_client *client) {
    auto *run = static_cast<watched *>(context);
    if (run->count >= HARTS) return;
    run->harts[run->count].behind = *client;
    client->cycle = run->count ? on_cycle<1> : on_cycle<0>;
    run->count++;
}

} // namespace

// ---- the one model ----
struct hub_model {
    VerilatedContext context;
    std::unique_ptr<Vsoc_tb> top;
    struct soc *socs[HARTS];
    std::vector<left> lists[HARTS];
    uint64_t cycles;
};

namespace {

hub_model the_model;

// What the machine gives a tile in a cycle.
struct inputs {
    unsigned flags, lines;
    uint64_t data, mtime;
};

void set(Vsoc_tb *top, unsigned h, const inputs &in) {
    top->device_flags_i[h] = static_cast<CData>(in.flags);
    top->device_data_i[h] = in.data;
    top->lines_i[h] = static_cast<CData>(in.lines);
    top->mtime_i[h] = in.mtime;
}

void clock(Vsoc_tb *top) {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
}

hub_model *make(unsigned) {
    hub_model *m = &the_model;
    m->context.fatalOnError(false);
    m->context.randReset(2);
    m->top = std::make_unique<Vsoc_tb>(&m->context, "TOP");
    Vsoc_tb *top = m->top.get();
    top->rst_ni = 0;
    top->memory_mask_i = -DRAM_BYTES;
    top->memory_ready_i = top->memory_resp_i = 0;
    for (unsigned h = 0; h < HARTS; h++)
        set(top, h, {});
    top->eval();
    for (int i = 0; i < 4; i++)
        clock(top);
    top->rst_ni = 1;
    return m;
}

void unmake(hub_model *m) {
    m->top->final();
    m->top.reset();
}

bool failed(const hub_model *m) {
    return m->context.gotError();
}

void take(hub_model *m, unsigned hart) {
    const Vsoc_tb *top = m->top.get();
    constexpr unsigned LANES = sizeof top->insn_o / sizeof top->insn_o[0] / HARTS;
    for (unsigned i = hart * LANES; i < (hart + 1) * LANES; i++) {
        const auto &words = top->insn_o[i];
        const uint64_t flags = words[0];
        if (!(flags & 1)) continue;
        const bool rd = flags >> 1 & 1;
        const unsigned bytes = static_cast<unsigned>(__builtin_popcountll(flags >> 8));
        m->lists[hart].push_back({m->cycles, false, words[1], words[2],
                                  rd ? (flags >> 3 & 31) | (flags & 4) << 3 : NO_RD, rd ? words[3] : 0,
                                  bytes ? words[4] : 0, bytes ? low(words[5], bytes) : 0, bytes});
    }
    const auto &trap = top->trap_o[hart];
    if (trap[0] & 1)
        m->lists[hart].push_back(
            {m->cycles, true, trap[1], 0, NO_RD, trap[2], trap[0] >> 2 | (trap[0] & 2 ? 256u : 0u), 0, 0});
}

// As sim/machine.sv: what a tile has asked in this cycle, and what it gets in the next one.
inputs exchange(hub_model *m, unsigned h) {
    const Vsoc_tb *top = m->top.get();
    struct soc *soc = m->socs[h];
    inputs in = {};
    if (top->device_o[h] && (top->device_flags_i[h] & 1))
        soc_device_request(soc, top->device_write_o[h], 1u << top->device_size_o[h], top->device_addr_o[h],
                           top->device_data_o[h]);
    if (top->lost_o[h]) soc_lost_store(soc, top->lost_o[h]);
    const uint32_t code = soc_tick(soc, &in.mtime);
    in.flags = (code & TICK_DEVICE_READY ? 1u : 0u) | (code & TICK_DEVICE_RESPONSE ? 2u : 0u) |
               (code & TICK_DEVICE_ERROR ? 4u : 0u);
    in.lines = (code & TICK_MSIP ? 1u : 0u) | (code & TICK_MTIP ? 2u : 0u) | (code & TICK_MEIP ? 4u : 0u) |
               (code & TICK_SEIP ? 8u : 0u);
    if (code & TICK_DEVICE_RESPONSE) in.data = soc_device_data(soc);
    return in;
}

void cycle(hub_model *m, const hub_out *, bool ready, const hub_memory_response *response, hub_memory_request *request,
           hub_in *in) {
    Vsoc_tb *top = m->top.get();
    inputs next[HARTS];
    top->memory_ready_i = ready;
    top->memory_resp_i = response->valid;
    if (response->valid) {
        top->memory_resp_flags_i = response->llc_miss | response->error << 1;
        top->memory_resp_id_i = response->id;
        memcpy(&top->memory_resp_data_i, response->data, 64);
    }
    top->eval();
    *request = {};
    request->valid = top->memory_o;
    request->write = top->memory_write_o;
    request->insn = top->memory_insn_o;
    request->id = top->memory_id_o;
    request->addr = top->memory_addr_o;
    memcpy(request->data, &top->memory_data_o, sizeof request->data);
    for (unsigned h = 0; h < HARTS; h++) {
        take(m, h);
        next[h] = exchange(m, h);
    }
    clock(top);
    for (unsigned h = 0; h < HARTS; h++)
        set(top, h, next[h]);
    for (unsigned i = 0; i <= HARTS; i++)
        in[i].down.valid = in[i].answer.valid = false;
    m->cycles++;
}

const hub_model_api api = {HUB_MODEL_VERSION, CONFIG_NAME, MODEL_DIGEST, make, unmake, cycle, failed};

// Up to the program's end. False with err.
bool run(const char *program, error *err) {
    machine_config config;
    host_roots roots = {};
    image *image = image_load(program, err);
    if (!image || machine_config_load(&config, "build/" CONFIG_NAME "/gen/config.json", err) < 0) return false;
    (config.l2.kib ? config.l2.latency : config.llc.latency) -= LINKS_CYCLES;
    char *arguments[] = {const_cast<char *>(program), nullptr};
    host *host = host_create(arguments, &roots, nullptr, err);
    if (!host || host_find(host, image, DRAM_BYTES, nullptr, false, err) < 0) return false;
    board *board = board_create(HARTS, host, err);
    const console console = host_console(host);
    for (unsigned h = 0; board && h < HARTS; h++) {
        const soc_place place = {board, h, h ? the_model.socs[0] : nullptr};
        the_model.socs[h] = soc_create(&config, DRAM_BYTES, &console, &place, err);
        if (!the_model.socs[h] || soc_load(the_model.socs[h], image, err) < 0) return false;
    }
    links *links = board ? links_create(&api, HARTS, soc_memory(the_model.socs[0]), err) : nullptr;
    if (!links) return false;
    for (struct soc *soc : the_model.socs)
        soc_link(soc, links);
    while (the_model.cycles < board_end(board) && !links_failed(links)) {
        links_advance(links, the_model.cycles + 1);
        board_advance(board, the_model.cycles);
    }
    const bool good = !links_failed(links);
    if (!good) error_set(err, "the model failed at cycle %" PRIu64 ": see above", the_model.cycles);
    links_destroy(links);
    for (unsigned h = HARTS; h-- > 0;)
        soc_destroy(the_model.socs[h]);
    board_destroy(board);
    host_destroy(host);
    image_destroy(image);
    return good;
}

// Both have left the same; says the first difference.
bool compare(unsigned hart) {
    const std::vector<left> &models = the_run.harts[hart].list, &one = the_model.lists[hart];
    size_t i = 0;
    while (i < models.size() && i < one.size() && same(models[i], one[i]))
        i++;
    if (i == models.size() && i == one.size() && i > 0) {
        printf("hart %u: %zu instructions and traps in the same cycles\n", hart, i);
        return true;
    }
    printf("hart %u differs after %zu of %zu and %zu:\n", hart, i, models.size(), one.size());
    if (i < models.size()) print("models", models[i]);
    if (i < one.size()) print("one model", one[i]);
    return false;
}

} // namespace

int main(int argc, char **argv) {
    static char command[] = "run", option[] = "--config=" CONFIG_NAME, harts[] = "--harts=2", quiet[] = "--quiet";
    std::vector<char *> all = {command, option, harts, quiet};
    if (argc < 2) {
        fputs("Usage: soc-bench [OPTION...] PROGRAM\n", stderr);
        return STATUS_BAD_INPUT;
    }
    all.insert(all.end(), argv + 1, argv + argc);
    all.push_back(nullptr);
    const simulation_platform platform = {&the_run, connect};
    run_for as = {};
    as.platform = &platform;
    const int status = run_as(static_cast<int>(all.size()) - 1, all.data(), &as);
    if (status != 0) return status;
    error err = {};
    if (!run(argv[argc - 1], &err)) {
        fprintf(stderr, "soc-bench: %s\n", err.text);
        return STATUS_DIFFERENCE;
    }
    bool good = true;
    for (unsigned h = 0; h < HARTS; h++)
        good &= compare(h);
    printf("%" PRIu64 " cycles\n", the_model.cycles);
    return good ? 0 : STATUS_DIFFERENCE;
}
