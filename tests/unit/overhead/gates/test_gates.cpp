// A complete unit's netlist against its RTL, cycle by cycle, on random stimuli: bundles of a toy reorder buffer, triggers by the port and by
// the counter, and software that writes and reads all CSRs of the unit. What the two show of it must be alike in every cycle.
//
//   run SEED CYCLES [BROKEN]     BROKEN: then with each of that many broken gates in turn, until they differ; prints one line each
//
// Registers begin with random values, other ones in the netlist: reset alone makes the two alike.
#include "../../../../build/gen/csrs.h"
#include "../../rtl/bench.h"
#include "../../rtl/toy_rob.h"
#include "Vtop.h"
#include "verilated.h"

enum { LOOK = 8, SEGMENT = 2000 }; // cycles between two looks at all CSRs; cycles of one toy reorder buffer, from reset on

static Vtop *top;
static unsigned long samples[4], interrupts, writes;

static const unsigned readable[] = {CSR_TIPOFF_PERIOD, CSR_TIPOFF_JITTER, CSR_TIPOFF_COLLISIONS, CSR_SHPMSPC, CSR_SHPMSDATA, CSR_TIPOFF_ADDR0, CSR_TIPOFF_ADDR1, CSR_TIPOFF_ADDR2,
                                    CSR_TIPOFF_ADDR3, CSR_TIPOFF_ADDR4, CSR_TIPOFF_ADDR5, CSR_TIPOFF_ADDR6, CSR_TIPOFF_ADDR7, CSR_TIPOFF_PSV0, CSR_TIPOFF_PSV1,
                                    CSR_TIPOFF_CYCLE, CSR_TIPOFF_REPEAT, CSR_TIPOFF_SPACE, CSR_MHPMCOUNTER3, CSR_HPMCOUNTER3, CSR_MHPMEVENT3, CSR_MCOUNTINHIBIT, CSR_SCOUNTOVF};

static void edge(void) {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
}

// Inputs of a cycle but for the CSRs.
static void drive(const struct bundle &b, unsigned rate) {
    top->valid_i = (CData)b.valid;
    top->commit_i = (CData)b.commit;
    top->mispredict_i = (CData)b.mispredict;
    top->flush_i = (CData)b.flush;
    top->first_i = (CData)b.first;
    top->oldest_i = (CData)b.oldest;
    top->rob_empty_i = b.empty;
    top->exception_i = b.exception;
    top->exception_pc_i = b.exception_pc;
    top->exception_psv_i = (SData)b.exception_psv;
    top->dispatch_valid_i = (CData)b.dispatch;
    top->priv_i = (CData)b.priv;
    top->space_i = b.space;
    for (unsigned i = 0; i < 8; i++) {
        top->pc_i[i] = b.pc[i];
        top->psv_i[i] = (SData)b.psv[i];
        top->dispatch_pc_i[i] = b.dispatch_pc[i];
    }
    for (unsigned i = 0; i < 6; i++) top->noise_i[i] = bench_random();
    top->trigger_i = bench_below(rate) == 0;
}

// What software does in a cycle: nothing, a read, or a write with a value that makes something happen.
static void ask(bool first) {
    enum { NONE = 10 }; // of 40
    uint64_t data = bench_random() << bench_below(64);
    unsigned what = first ? 0 : bench_below(40), address = readable[bench_below(sizeof readable / sizeof *readable)];
    top->csr_write_i = what < NONE;
    if (what == 0) address = CSR_MHPMEVENT3, data = (bench_below(4) ? 1 + bench_below(40) : bench_random() & 0xff) | (bench_below(3) ? 0 : bench_random() & (uint64_t)0xf << 60);
    else if (what == 1) address = CSR_MHPMCOUNTER3, data = bench_below(4) ? -(uint64_t)(1 + bench_below(40)) : -(uint64_t)1 << bench_below(64);
    else if (what == 2) address = CSR_TIPOFF_PERIOD, data = bench_below(3) ? bench_below(80) : data;
    else if (what == 3) address = CSR_TIPOFF_JITTER, data = (uint64_t)bench_below(64) << 48 | (uint64_t)bench_below(2) << 54 | (uint32_t)bench_random();
    else if (what == 4) address = CSR_MCOUNTINHIBIT, data = bench_below(4) ? 0 : bench_random();
    else if (what == 5 && bench_below(4) == 0) address = CSR_TIPOFF_COLLISIONS, data = -(uint64_t)1 << bench_below(64);
    else if (what < NONE) address = CSR_SHPMSDATA, data &= ~(UINT64_C(1) << 22);
    top->csr_addr_i = (SData)address;
    top->csr_wdata_i = data;
    writes += top->csr_write_i;
}

// From reset on. The cycle in which the two differ, or `cycles`; prints what differs where `telling`.
static unsigned run(unsigned cycles, bool telling) {
    bool waited = false; // a sample was ready when last looked
    for (unsigned c = 0; c < cycles;) {
        const unsigned rate = 2u << bench_below(6);
        const std::vector<bundle> toy = toy_run(top->width_o, SEGMENT);
        top->rst_ni = 0;
        drive(bundle{.empty = true}, rate);
        top->csr_write_i = 0;
        top->eval();
        edge();
        top->rst_ni = 1;
        for (unsigned i = 0; i < SEGMENT && c < cycles; i++, c++) {
            drive(toy[i], rate);
            if (c % LOOK == 0) {
                top->csr_write_i = 0;
                for (unsigned address : readable) {
                    top->csr_addr_i = (SData)address;
                    top->eval();
                    if (top->differs_o) break;
                    if (address != CSR_SHPMSDATA) continue;
                    const bool ready = SHPMSDATA_READY(top->rtl_rdata_o);
                    samples[SHPMSDATA_STATE(top->rtl_rdata_o)] += ready && !waited;
                    waited = ready;
                }
            }
            if (!top->differs_o || c % LOOK != 0) {
                ask(i == 0);
                top->eval();
            }
            interrupts += top->rtl_lcofi_o;
            if (top->differs_o) {
                if (telling) printf("cycle %u: CSR %03x is %016llx and in gates %016llx; interrupt %d and %d\n", c, top->csr_addr_i, (unsigned long long)top->rtl_rdata_o, (unsigned long long)top->gate_rdata_o, top->rtl_lcofi_o, top->gate_lcofi_o);
                return c;
            }
            edge();
        }
    }
    return cycles;
}

int main(int argc, char **argv) {
    const uint64_t seed = bench_seed(argc, argv, 1);
    const unsigned cycles = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 20000, broken = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0;
    VerilatedContext context;
    context.randReset(2);
    context.randSeed((int)(seed & 0x7fffffff) | 1);
    top = new Vtop(&context);
    top->clk_i = 0;
    top->eval();
    const unsigned end = run(cycles, true);
    bench_check(end == cycles, "netlist and RTL differ in cycle %u", end);
    for (unsigned state = 0; state < 4; state++) bench_check(samples[state] >= cycles / 2000, "%lu samples of state %u in %u cycles: the test is too weak", samples[state], state, cycles);
    bench_check(interrupts > cycles / 100 && writes > cycles / 10, "%lu interrupts, %lu writes: the test is too weak", interrupts, writes);
    printf("%u cycles alike: %lu samples, %lu interrupts, %lu writes of CSRs\n", end, samples[0] + samples[1] + samples[2] + samples[3], interrupts, writes);
    for (unsigned k = 1; k <= broken && end == cycles; k++) {
        bench_state = seed + k;
        top->broken_i = (SData)k;
        const unsigned at = run(cycles, false);
        printf("broken %u %d\n", k, at < cycles ? (int)at : -1);
    }
    top->final();
    delete top;
    return bench_end();
}
