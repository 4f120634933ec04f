// C++ because Verilator's models are: hub_top with the C interface of hub_model.h.
extern "C" {
#include "harness/hub_model.h"
}
#include "Vhub_top.h"
#include "model_digest.h"
#include "verilated.h"

#include <cstdio>
#include <cstring>

struct hub_model {
    VerilatedContext context;
    Vhub_top *top;
    unsigned ports;
    bool still; // without a message, or a line from memory, nothing happens in it
    bool wrong; // it was not so
    unsigned passed;
};

static void edge(hub_model *h) {
    h->top->clk_i = 1;
    h->top->eval();
    h->top->clk_i = 0;
}

static hub_model *create(unsigned harts) {
    hub_model *h = new hub_model{};
    h->context.fatalOnError(false);
    h->context.randReset(2);
    h->ports = harts + 1;
    h->top = new Vhub_top{&h->context, "TOP"};
    h->top->clk_i = 0;
    h->top->rst_ni = 0;
    h->top->present_i = static_cast<unsigned char>((1u << harts) - 1);
    h->top->request_i = h->top->up_i = h->top->done_i = 0;
    h->top->memory_resp_i = h->top->memory_ready_i = 0;
    h->top->eval();
    edge(h);
    edge(h);
    h->top->rst_ni = 1;
    return h;
}

static void destroy(hub_model *h) {
    h->top->final();
    delete h->top;
    delete h;
}

static_assert(sizeof(Vhub_top::answer_data_o) == 64, "a line");

static void drive(Vhub_top *top, const hub_out *out, unsigned ports) {
    unsigned requests = 0, ups = 0, dones = 0;
    for (unsigned i = 0; i < ports; i++) {
        const hub_request *r = &out[i].request;
        const hub_up *u = &out[i].up;
        if (r->valid) {
            requests |= 1u << i;
            top->request_kind_i[i] = r->kind;
            top->request_id_i[i] = r->id;
            top->request_line_i[i] = r->line;
        }
        if (u->valid) {
            ups |= 1u << i;
            top->up_flags_i[i] = u->flags;
            top->up_tag_i[i] = u->tag;
            top->up_line_i[i] = u->line;
            std::memcpy(&top->up_data_i[i], u->data, sizeof u->data);
        }
        if (out[i].done.valid) {
            dones |= 1u << i;
            top->done_transaction_i[i] = out[i].done.transaction;
        }
    }
    top->request_i = static_cast<unsigned short>(requests);
    top->up_i = static_cast<unsigned short>(ups);
    top->done_i = static_cast<unsigned short>(dones);
}

static void collect(const Vhub_top *top, hub_in *in, unsigned ports) {
    for (unsigned i = 0; i < ports; i++) {
        hub_down *d = &in[i].down;
        hub_answer *a = &in[i].answer;
        d->valid = top->down_o >> i & 1;
        a->valid = top->answer_o >> i & 1;
        if (d->valid) {
            d->kind = top->down_kind_o[i];
            d->tag = top->down_tag_o[i];
            d->line = top->down_line_o[i];
        }
        if (a->valid) {
            a->id = top->answer_id_o;
            a->transaction = top->answer_transaction_o;
            a->flags = top->answer_flags_o;
            std::memcpy(a->data, &top->answer_data_o, sizeof a->data);
        }
    }
}

static bool comes(const hub_model *h, const hub_out *out, const hub_memory_response *response) {
    bool any = response->valid;
    for (unsigned i = 0; i < h->ports; i++)
        any |= out[i].request.valid | out[i].up.valid | out[i].done.valid;
    return any;
}

// A cycle of a hub that is still, with its outputs and none of its work: most are. Some are worked out all the same.
static bool passes(hub_model *h, hub_memory_request *request, hub_in *in) {
    enum { LOOK = 64 };
    if (++h->passed % LOOK == 0) return false;
    request->valid = false;
    for (unsigned i = 0; i < h->ports; i++)
        in[i].down.valid = in[i].answer.valid = false;
    return true;
}

static void compare(hub_model *h, const hub_memory_request *request, const hub_in *in) {
    bool any = request->valid || !h->still;
    for (unsigned i = 0; i < h->ports; i++)
        any |= in[i].down.valid | in[i].answer.valid;
    if (any && !h->wrong)
        std::puts("hub: something happens in it, though it was still (still_o of sim/hub/hub_top.sv)");
    h->wrong |= any;
}

static void cycle(hub_model *h, const hub_out *out, bool ready, const hub_memory_response *response,
                  hub_memory_request *request, hub_in *in) {
    Vhub_top *top = h->top;
    const bool still = h->still && !comes(h, out, response);
    if (still && passes(h, request, in)) return;
    drive(top, out, h->ports);
    top->memory_ready_i = ready;
    top->memory_resp_i = response->valid;
    if (response->valid) {
        top->memory_resp_flags_i = response->llc_miss | response->error << 1;
        top->memory_resp_id_i = response->id;
        std::memcpy(&top->memory_resp_data_i, response->data, 64);
    }
    top->eval();
    request->valid = top->memory_o;
    if (request->valid) {
        request->write = top->memory_write_o;
        request->insn = top->memory_insn_o;
        request->id = top->memory_id_o;
        request->addr = top->memory_addr_o;
        if (request->write) std::memcpy(request->data, &top->memory_data_o, sizeof request->data);
    }
    edge(h);
    collect(top, in, h->ports);
    h->still = top->still_o;
    if (still) compare(h, request, in);
}

static bool failed(const hub_model *h) {
    return h->wrong || h->context.gotError();
}

extern "C" __attribute__((visibility("default"))) const struct hub_model_api *tipoff_hub_model(void) {
    static const hub_model_api api = {HUB_MODEL_VERSION, CONFIG_NAME, MODEL_DIGEST, create, destroy, cycle, failed};
    return &api;
}
