// The adapter bound to the stub of BoomCore: a story cycle by cycle, as BOOM would show it, with what the bundle must say. The rules
// are bound, too, and end the story where one is broken. With +mistake=N the adapter is wrong, and only the rules look. Then stores to
// tohost, which are reported once each, and the host, whose commands a serial port of ours carries out.
#include "Vtop.h"
#include "Vtop__Dpi.h"
#include "bench.h"
#include "events.h"
#include "verilated.h"
#include <cstring>
#include <initializer_list>

enum { A = 0x80000000, B = 0x80000004, C = 0x80000008, D = 0x8000000c, T = 0x80000100 };
static Vtop *top;
static bool looks; // at the bundle, not only the rules
static const char *where;

static void pcs(uint64_t bank0, uint64_t bank1) {
    uint64_t low = bank0 | bank1 << 40, high = bank1 >> 24;
    top->pc_i[0] = (uint32_t)low, top->pc_i[1] = (uint32_t)(low >> 32), top->pc_i[2] = (uint32_t)high;
}

static void enters(unsigned banks, uint64_t bank0, uint64_t bank1) {
    uint64_t low = bank0 | bank1 << 40, high = bank1 >> 24;
    top->enter_i = banks;
    top->enter_pc_i[0] = (uint32_t)low, top->enter_pc_i[1] = (uint32_t)(low >> 32), top->enter_pc_i[2] = (uint32_t)high;
}

static void head(unsigned banks, uint64_t bank0, uint64_t bank1) {
    top->head_i = banks;
    top->empty_i = 0;
    pcs(bank0, bank1);
}

// What is looked at, then the clock edge; the inputs of the next cycle begin at none, in an empty ROB.
#define LOOK(FIELD, VALUE)                                                                                             \
    do {                                                                                                               \
        top->eval();                                                                                                   \
        if (looks) bench_check((uint64_t)top->FIELD == (uint64_t)(VALUE), "%s: " #FIELD " 0x%llx, not 0x%llx", where, (unsigned long long)top->FIELD, (unsigned long long)(VALUE)); \
    } while (0)

static void next(const char *what) {
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    where = what;
    top->head_i = top->commit_i = top->rvc_i = top->br_i = top->jalr_i = top->exec_i = top->flush_i = top->enter_i = 0;
    top->throw_i = top->redirect_i = 0;
    top->state_i = 1;
    top->cause_i = 0;
    top->empty_i = 1;
    pcs(0, 0);
}

static void still_dead(const char *what, unsigned state) {
    next(what);
    head(3, C, D);
    top->state_i = state;
    LOOK(rob_empty_o, 1);
    LOOK(valid_o, 0);
    LOOK(exception_o, 0);
}

static void story() {
    next("bank 1 enters alone");
    enters(2, 0, A);
    LOOK(dispatch_o, 1);
    LOOK(dispatch_pc_o, A);
    LOOK(rob_empty_o, 1);
    LOOK(space_o, 0x12345);
    next("a partial row: bank 1 is the oldest");
    head(2, 0, A);
    LOOK(valid_o, 2);
    LOOK(oldest_o, 1);
    LOOK(pc1_o, A);
    next("it commits, and a full row enters");
    head(2, 0, A);
    top->commit_i = 2;
    enters(3, B, C);
    LOOK(commit_o, 2);
    LOOK(dispatch_o, 3);
    LOOK(dispatch_pc_o, B);
    next("a branch that a predictor was right about, and one redirects");
    head(3, B, C);
    top->br_i = 1;
    top->commit_i = 1;
    top->redirect_i = 1;
    top->rvc_i = 1;
    top->insn_i = 0xffff8082;
    LOOK(mispredict_o, 0);
    LOOK(oldest_o, 0);
    LOOK(insn0_o, 0x8082);
    next("the mispredicted jump commits");
    head(2, B, C);
    top->jalr_i = 2;
    top->exec_i = 3;
    top->commit_i = 2;
    LOOK(mispredict_o, 2); // bank 0's is no branch
    next("nothing yet: its doing");
    LOOK(rob_empty_o, 1);
    next("two enter");
    enters(3, A, B);
    LOOK(dispatch_o, 3);
    next("both commit, the younger flushes");
    head(3, A, B);
    top->commit_i = 3;
    top->flush_i = 2;
    LOOK(flush_o, 2);
    next("redirect of the flush");
    top->redirect_i = 1;
    LOOK(rob_empty_o, 1);
    next("two rows enter, one after the other");
    enters(3, A, B);
    next("...");
    head(3, A, B);
    enters(3, C, D);
    next("bank 0 commits");
    head(3, A, B);
    top->commit_i = 1;
    next("bank 1 excepts: nothing commits beside it");
    head(2, A, B);
    top->throw_i = 1;
    top->cause_i = 13;
    LOOK(exception_o, 1);
    LOOK(exception_pc_o, B);
    LOOK(interrupt_o, 0);
    LOOK(exception_psv_o, 1u << EVENT_FL_EX);
    LOOK(dispatch_o, 0);
    still_dead("one cycle after it: nothing has begun", 1);
    top->redirect_i = 1;
    enters(3, T, T + 4);
    LOOK(dispatch_o, 0); // on a wrong path
    still_dead("two cycles after it", 1);
    still_dead("it walks back", 2);
    still_dead("... still", 2);
    next("the walk is over, the handler enters");
    enters(1, T, 0);
    LOOK(dispatch_pc_o, T);
    next("which takes an interrupt at once");
    head(1, T, 0);
    top->throw_i = 1;
    top->cause_i = 1ull << 63 | 7;
    LOOK(interrupt_o, 1);
    LOOK(exception_pc_o, T);
    next("two cycles of waiting");
    head(1, T, 0);
    LOOK(rob_empty_o, 1);
    next("...");
    head(1, T, 0);
    LOOK(rob_empty_o, 1);
    next("the walk");
    head(1, T, 0);
    top->state_i = 2;
    LOOK(rob_empty_o, 1);
    next("an address of the upper half enters");
    enters(1, 0xffffffc000ull, 0);
    LOOK(dispatch_pc_o, 0xffffffffffffc000ull);
    next("and is replayed");
    head(1, 0xffffffc000ull, 0);
    top->throw_i = 1;
    top->cause_i = 16;
    LOOK(replay_o, 1);
    LOOK(exception_psv_o, 1u << EVENT_FL_MO);
    next("empty");
    LOOK(rob_empty_o, 1);
}

// ---- the C side: stores that were reported; the words that the host wants, and whether it writes them ----
enum { TOHOST = 0x80001040 };
static struct {
    unsigned count;
    uint64_t addr, data;
    int size;
} stored;
static struct {
    uint64_t wants[4], read[4], writes[4];
    unsigned next, count;
} host;

unsigned long long tipoff_tohost_address(void) {
    return TOHOST;
}
void tipoff_tohost(unsigned long long addr, unsigned long long data, int size) {
    stored.count++;
    stored.addr = addr;
    stored.data = data;
    stored.size = size;
}
unsigned long long tipoff_host_address(void) {
    return host.next < host.count ? host.wants[host.next] : 0;
}
int tipoff_host_access(int cached, unsigned long long word, unsigned long long *data) {
    bench_check(cached == 1, "the word is the chip's, not memory's");
    host.read[host.next] = word;
    *data = host.writes[host.next];
    return host.writes[host.next++] != 0;
}

// ---- the data cache ----
static void ask(unsigned index, uint64_t addr, unsigned kind, unsigned size, uint64_t data, bool ready) {
    top->ask_i = top->ask_store_i = 1;
    top->ready_i = ready;
    top->index_i = index;
    top->addr_i = addr;
    top->kind_i = kind;
    top->size_i = size;
    top->data_i = data;
    next("a request");
    top->ask_i = 0;
}

static unsigned answer(unsigned index, bool store) {
    unsigned before = stored.count;
    top->answer_i = 1;
    top->answer_store_i = store;
    top->answer_index_i = index;
    next("an answer");
    top->answer_i = 0;
    return stored.count - before;
}

static void stores() {
    ask(3, TOHOST, 1, 3, 0x101000000000041, true);
    bench_check(stored.count == 0, "a store is reported before the cache has done it");
    bench_check(answer(3, false) == 0, "an answer to a load reports a store");
    bench_check(answer(3, true) == 1 && stored.addr == TOHOST && stored.data == 0x101000000000041 && stored.size == 3, "the store is reported");
    bench_check(answer(3, true) == 0, "it is reported twice");
    ask(4, TOHOST, 1, 3, 5, false);
    bench_check(answer(4, true) == 0, "reported though the cache did not take it");
    ask(5, TOHOST, 1, 3, 5, true);
    next("the cache turns it away");
    ask(5, TOHOST, 1, 3, 7, true);
    bench_check(answer(5, true) == 1 && stored.data == 7, "asked again, it is reported once");
    ask(6, TOHOST + 8, 1, 3, 5, true);
    bench_check(answer(6, true) == 0, "another word");
    ask(7, TOHOST, 0, 3, 5, true);
    bench_check(answer(7, true) == 0, "a load");
    ask(15, TOHOST + 4, 4, 2, 9, true);
    bench_check(answer(15, true) == 1 && stored.addr == TOHOST + 4 && stored.size == 2, "amoswap.w to the upper half");
    ask(8, TOHOST, 1, 3, 5, true);
    ask(8, TOHOST - 64, 1, 3, 5, true); // squashed; the index is another's
    bench_check(answer(8, true) == 0, "what an index held before");
}

// ---- the serial port: takes commands as testchipip's SerialAdapter does ----
static struct {
    uint32_t words[8];
    unsigned count;
} command;

static void serve(unsigned words, bool stalls) {
    command.count = 0;
    for (unsigned i = 0; i < 40 && command.count < words; i++) {
        top->in_ready_i = !stalls || i % 3 == 0;
        top->eval();
        if (top->in_valid_o && top->in_ready_i) command.words[command.count++] = top->in_bits_o;
        next("serial");
    }
    top->in_ready_i = 0;
    top->eval();
    bench_check(command.count == words, "%u words of a command come, not %u", command.count, words);
}

static void is(std::initializer_list<uint32_t> words) {
    unsigned i = 0;
    for (uint32_t word : words) {
        bench_check(command.words[i] == word, "word %u of a command is 0x%x, not 0x%x", i, command.words[i], word);
        i++;
    }
}

static void comes(uint32_t word) {
    next("...");
    top->out_valid_i = 1;
    top->out_bits_i = word;
    next("a word comes back");
    top->out_valid_i = 0;
}

static void quiet(const char *why) {
    top->in_ready_i = 1;
    for (int i = 0; i < 8; i++) {
        next(why);
        bench_check(!top->in_valid_o, "a command: %s", why);
    }
    top->in_ready_i = 0;
}

static void serial() {
    serve(6, true);
    is({1, 0x2000000, 0, 0, 0, 1}); // boot: msip
    quiet("nothing is wanted");
    host = {{TOHOST, 0x1c0001048}, {}, {0, 0x1122334455667788}, 0, 2};
    ask(3, TOHOST + 4, 1, 2, 0x42, true); // the upper half
    answer(3, true);
    top->host_i = 1; // at the earliest
    serve(5, false);
    is({0, TOHOST, 0, 1, 0});
    comes(0x42); // the store is on its way: it is looked for once more
    comes(0x41);
    serve(5, true);
    is({0, TOHOST, 0, 1, 0});
    comes(0x41);
    comes(0x42); // there it is
    bench_check(host.next == 0, "the host looks at memory before the store is done");
    serve(5, false);
    is({0, TOHOST, 0, 1, 0});
    comes(0x80002001);
    comes(0x00000042);
    serve(5, true);
    bench_check(host.read[0] == 0x4280002001, "the host reads 0x%llx", (unsigned long long)host.read[0]);
    is({0, 0xc0001048, 1, 1, 0}); // not written: the next one
    comes(1);
    comes(2);
    serve(7, true);
    is({1, 0xc0001048, 1, 1, 0, 0x55667788, 0x11223344});
    bench_check(host.read[1] == 0x200000001, "the host reads 0x%llx", (unsigned long long)host.read[1]);
    quiet("nothing is wanted any more");
}

int main(int argc, char **argv) {
    Verilated::commandArgs(argc, argv);
    const char *mistake = Verilated::commandArgsPlusMatch("mistake=");
    looks = !*mistake || strcmp(mistake, "+mistake=0") == 0;
    top = new Vtop;
    top->rst_ni = 0;
    next("reset");
    next("reset");
    top->rst_ni = 1;
    story();
    if (looks) stores();
    if (looks) serial();
    next("end");
    top->final();
    delete top;
    return bench_end();
}
