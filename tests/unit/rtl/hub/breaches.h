// What neither tiles nor memory may do: the hub's assertions must end a run in which it happens, each in a process of
// its own. A message is built from what a moment of the random run has open.
#ifndef TIPOFF_BREACHES_H
#define TIPOFF_BREACHES_H
#include <sys/wait.h>
#include <unistd.h>

enum { NEW_LINES = 10, FLOODS = 12 };

static void quiet_inputs() {
    top->request_i = top->up_i = top->done_i = 0;
    top->memory_resp_i = 0;
    top->memory_ready_i = 1;
}

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

// Whether the model ends in what is done, in a process of its own.
template <typename Act> static bool ends(Act act) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(0);
        quiet_inputs();
        act();
        for (unsigned i = 0; i < 60; i++) {
            quiet_inputs();
            tick();
        }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void send_request(unsigned hart, unsigned id, unsigned line, unsigned kind = GET) {
    top->request_i |= (uint8_t)(1u << hart);
    top->request_id_i[hart] = (uint8_t)id;
    top->request_line_i[hart] = (uint8_t)line;
    top->request_kind_i[hart] = (uint8_t)kind;
}

static void send_ack(unsigned hart, unsigned tag, unsigned line, bool has, bool keeps, bool refuses) {
    const uint8_t bit = (uint8_t)(1u << hart);
    top->up_i = bit;
    top->up_put_i = top->up_gave_i = 0;
    top->up_has_i = has ? bit : 0;
    top->up_keeps_i = keeps ? bit : 0;
    top->up_refuses_i = refuses ? bit : 0;
    top->up_tag_i[hart] = (uint8_t)tag;
    top->up_line_i[hart] = (uint8_t)line;
}

static void send_done(unsigned hart, unsigned transaction) {
    top->done_i = (uint8_t)(1u << hart);
    top->done_transaction_i[hart] = (uint8_t)transaction;
}

// From reset, with all harts: hart 0 asks to have a line; the transaction's number, once every other hart has its
// snoop.
static unsigned one_open(unsigned kind, unsigned line) {
    unsigned tag = 0;
    quiet_inputs();
    send_request(0, 0, line, kind);
    for (unsigned i = 0, heard = 0; i < 20 && heard != (present & ~1u); i++) {
        tick();
        quiet_inputs();
        for (unsigned hart = 1; hart < HARTS; hart++)
            if (top->down_o >> hart & 1) tag = top->down_tag_o[hart], heard |= 1u << hart;
    }
    return tag;
}

// The others answer that they have nothing, and memory does.
static void answer_all(unsigned tag, unsigned line) {
    for (unsigned hart = 1; hart < HARTS; hart++) {
        quiet_inputs();
        send_ack(hart, tag, line, false, false, false);
        tick();
    }
    quiet_inputs();
    top->memory_resp_i = 1;
    top->memory_resp_id_i = (uint8_t)tag;
    top->memory_resp_error_i = 0;
    tick();
    for (unsigned i = 0; i < 6; i++) {
        quiet_inputs();
        tick();
    }
    quiet_inputs();
}

static void breaches_of_acks() {
    struct ack {
        const char *what;
        unsigned kind;
        bool has, keeps, refuses;
    };
    static const struct ack acks[] = {{"refuses, and keeps a copy", TRYGET, false, true, true},
                                      {"refuses, and gives data", TRYGET, true, false, true}};
    for (unsigned hart = 1; hart < HARTS; hart++) {
        for (const struct ack &a : acks)
            bench_check(ends([&] {
                            send_ack(hart, one_open(a.kind, NEW_LINES), NEW_LINES, a.has, a.keeps, a.refuses), tick();
                        }),
                        "hart %u %s", hart, a.what);
        bench_check(ends([&] {
                        send_ack(hart, (one_open(OWN, NEW_LINES) + 1) % TRANSACTIONS, NEW_LINES, false, false, false),
                            tick();
                    }),
                    "hart %u: an ACK of no transaction", hart);
        bench_check(ends([&] {
                        const unsigned tag = one_open(OWN, NEW_LINES);
                        for (unsigned twice = 0; twice < 2; twice++)
                            send_ack(hart, tag, NEW_LINES, false, false, false), tick();
                    }),
                    "hart %u: two ACKs of a transaction", hart);
    }
    bench_check(!ends([&] { answer_all(one_open(OWN, NEW_LINES), NEW_LINES); }),
                "a transaction that nothing is wrong with");
}

static void breaches_of_done() {
    bench_check(ends([&] { send_done(0, one_open(OWN, NEW_LINES)), tick(); }), "done before the answer");
    bench_check(ends([&] {
                    const unsigned tag = one_open(OWN, NEW_LINES);
                    answer_all(tag, NEW_LINES);
                    send_done(1, tag), tick();
                }),
                "done of another hart");
    bench_check(ends([&] {
                    const unsigned tag = one_open(OWN, NEW_LINES);
                    answer_all(tag, NEW_LINES);
                    send_done(0, tag), tick();
                    quiet_inputs(), tick();
                    send_done(0, tag), tick();
                }),
                "done twice");
    bench_check(!ends([&] {
        const unsigned tag = one_open(OWN, NEW_LINES);
        answer_all(tag, NEW_LINES);
        send_done(0, tag), tick();
    }),
                "done once");
}

static void breaches_of_requests() {
    for (unsigned hart = 0; hart < HARTS; hart++) {
        bench_check(ends([&] { send_request(hart, top->requests_o, NEW_LINES), tick(); }),
                    "hart %u: a number beyond the last", hart);
        bench_check(ends([&] {
                        for (unsigned line = 0; line < 2; line++)
                            quiet_inputs(), send_request(hart, 3, NEW_LINES + line), tick();
                    }),
                    "hart %u: a number that has come", hart);
    }
    // One that waits for its line: it is linked, and no more.
    bench_check(ends([&] {
                    one_open(OWN, NEW_LINES);
                    send_request(1, 3, NEW_LINES);
                    for (unsigned i = 0; i < 5; i++)
                        tick(), quiet_inputs();
                    send_request(1, 3, NEW_LINES + 1), tick();
                }),
                "a number that waits");
    bench_check(ends([&] {
                    one_open(OWN, NEW_LINES);
                    send_request(1, 3, NEW_LINES);
                    for (unsigned i = 0; i < 5; i++)
                        tick(), quiet_inputs();
                    send_request(1, 4, NEW_LINES), tick();
                }),
                "two of a hart and line, the first waits");
    // More come than are linked, each of its line; two of one hart ask for the same, and both may wait to be linked.
    for (unsigned flood = 0; flood < FLOODS; flood++) {
        const unsigned hart = flood % HARTS, first = bench_below(4), last = 4 + bench_below(4);
        bench_check(ends([&] {
                        for (unsigned i = 0; i < 40; i++) {
                            quiet_inputs();
                            top->memory_ready_i = 0; // none begins meanwhile
                            for (unsigned h = 0, id = 7 - i; h < HARTS && i < 8; h++)
                                send_request(h, id, NEW_LINES + 8 * h + (h == hart && id == last ? first : id));
                            tick();
                        }
                    }),
                    "flood %u: two requests of a hart and line", flood);
    }
}

static void breaches() {
    present = (1u << HARTS) - 1;
    reset();
    breaches_of_acks();
    breaches_of_done();
    breaches_of_requests();
}
#endif
