// The RAMs of rtl/prim against arrays: random reads and writes of few words, so that they meet; then what the user has to see to.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <sys/wait.h>
#include <unistd.h>

enum { SIZES = 5, WORDS = 512, PORTS = 4 };
static Vtop *top;

struct Word {
    bool known;
    uint64_t low, high;
};
static Word sync_word[SIZES][WORDS], mp_word[SIZES][WORDS], sync_read[SIZES][PORTS]; // sync_read: what a port has read last
static uint8_t lanes_known[SIZES][WORDS];

static uint64_t mask(unsigned bits) {
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

static void cycle() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

// Inputs that keep the rules: no two writes of one word, no address without a word; of size 1 no clocked read of the word written.
static void draw(unsigned size) {
    unsigned words = top->words_o[size], few = words < 6 ? words : 6, from = bench_below(words - few + 1);
    top->size_i = size;
    top->read_i = bench_below(16);
    top->write_i = bench_below(16);
    for (unsigned port = 0; port < PORTS; port++) {
        top->read_addr_i[port] = from + bench_below(few);
        top->write_addr_i[port] = from + bench_below(few);
        top->write_data_i[port] = bench_random();
    }
    for (unsigned port = 1; port < (unsigned)top->writes_o[size]; port++)
        for (unsigned other = 0; other < port; other++)
            if (top->write_i >> other & 1 && top->write_addr_i[port] == top->write_addr_i[other]) top->write_i &= ~(1u << port);
    if (size == 1)
        for (unsigned port = 0; port < PORTS; port++)
            if (top->read_addr_i[port] == top->write_addr_i[0]) top->read_i &= ~(1u << port);
}

static void check_mp(unsigned size) {
    for (unsigned port = 0; port < (unsigned)top->mp_reads_o[size]; port++) {
        const Word *word = &mp_word[size][top->read_addr_i[port]];
        uint64_t due = top->read_i >> port & 1 ? word->low : 0;
        if (word->known || due == 0)
            bench_check(top->mp_o[4 * size + port] == due, "mp_ram of %u words, port %u: %llx, expected %llx", top->words_o[size], port, (unsigned long long)top->mp_o[4 * size + port],
                        (unsigned long long)due);
    }
}

static void check_sync(unsigned size) {
    for (unsigned port = 0; port < (unsigned)top->sync_reads_o[size]; port++) {
        const Word *word = &sync_read[size][port];
        if (word->known)
            bench_check(top->sync_o[4 * size + port] == word->low && top->sync_high_o[4 * size + port] == word->high, "sync_ram of %u words, port %u: %llx, expected %llx", top->words_o[size], port,
                        (unsigned long long)top->sync_o[4 * size + port], (unsigned long long)word->low);
    }
}

// What the inputs do at the end of the cycle.
static void model(unsigned size) {
    unsigned width = top->width_o[size], lanes = top->lanes_o[size], bits = width / lanes;
    uint64_t high = width > 64 ? ~top->write_data_i[0] : 0;
    for (unsigned port = 0; port < (unsigned)top->sync_reads_o[size]; port++)
        if (top->read_i >> port & 1) sync_read[size][port] = sync_word[size][top->read_addr_i[port]]; // before the write
    Word *word = &sync_word[size][top->write_addr_i[0]];
    for (unsigned lane = 0; lane < lanes; lane++)
        if (top->write_i >> lane & 1) {
            uint64_t part = mask(bits) << bits * lane;
            word->low = (word->low & ~part) | (top->write_data_i[0] & part & mask(width));
            word->high = high;
            lanes_known[size][top->write_addr_i[0]] |= 1u << lane;
        }
    word->known = lanes_known[size][top->write_addr_i[0]] == mask(lanes);
    for (unsigned port = 0; port < (unsigned)top->writes_o[size]; port++)
        if (top->write_i >> port & 1) mp_word[size][top->write_addr_i[port]] = Word{true, top->write_data_i[port] & mask(width), 0};
}

// Reset clears these words of mp_ram, and no other.
static void reset(unsigned size) {
    unsigned cleared = top->cleared_o[size], again = top->again_o[size];
    top->size_i = size;
    top->read_i = top->write_i = 0;
    top->rst_ni = 0;
    cycle();
    top->rst_ni = 1;
    for (unsigned i = 0; i < cleared; i++) {
        mp_word[size][i] = Word{true, 0, 0};
        if (again) mp_word[size][again + i] = Word{true, 0, 0};
    }
}

// Whether the model ends a run in which the inputs are as they are now.
static bool refused() {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(0);
        cycle();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void rules() {
    top->size_i = 3; // of 48 words
    top->read_i = 0;
    for (unsigned port = 0; port < PORTS; port++) top->write_addr_i[port] = port;
    top->write_i = 15;
    bench_check(!refused(), "four writes of four words");
    for (unsigned port = 0; port < PORTS; port++) {
        for (unsigned other = 0; other < port; other++) {
            top->write_addr_i[port] = other;
            bench_check(refused(), "two writes of one word, ports %u and %u", other, port);
            top->write_i = 15 & ~(1u << other);
            bench_check(!refused(), "two addresses alike, one of a write, ports %u and %u", other, port);
            top->write_i = 15;
        }
        top->write_i = 1u << port;
        top->write_addr_i[port] = 48;
        bench_check(refused(), "port %u writes past the last word", port);
        top->write_i = 15;
        top->write_addr_i[port] = port;
    }
    top->size_i = 1; // of 3 words: clocked reads of what is written are refused
    top->write_i = 1;
    top->write_addr_i[0] = 2;
    top->read_addr_i[0] = 1;
    top->read_addr_i[1] = 2;
    top->read_i = 1;
    bench_check(!refused(), "a read beside the word written");
    top->read_i = 2;
    bench_check(refused(), "a read of the word written");
    top->read_i = 0;
    top->write_addr_i[0] = 3;
    bench_check(refused(), "a write of no word");
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->rst_ni = 1;
    top->eval(); // the sizes
    for (unsigned n = 0; n < 100000; n++) {
        unsigned size = n / 100 % SIZES;
        if (n % 100 == 0) reset(size);
        draw(size);
        top->clk_i = 0;
        top->eval();
        check_mp(size);
        model(size);
        top->clk_i = 1;
        top->eval();
        check_sync(size);
    }
    rules();
    top->final();
    delete top;
    return bench_end();
}
