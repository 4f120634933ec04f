// The DPI calls of ideal parts of the simulated core (sim/ideal_pkg.sv): passed on to the client as they are.
#include "trace/dpi_internal.h"

unsigned tipoff_ideal_parts(void) {
    return dpi_running_client()->ideal_parts;
}

unsigned long long tipoff_ideal_read(unsigned now, unsigned long long addr) {
    (void)now;
    return dpi_running_client()->ideal_read(dpi_running_client()->context, addr);
}

void tipoff_ideal_write(unsigned long long addr, unsigned long long word, unsigned mask) {
    dpi_running_client()->ideal_write(dpi_running_client()->context, addr, word, mask);
}

int tipoff_ideal_table(unsigned now, unsigned long long addr, unsigned long long *pte) {
    (void)now;
    uint64_t word = 0;
    bool there = dpi_running_client()->ideal_table(dpi_running_client()->context, addr, &word);
    *pte = word;
    return there;
}

unsigned tipoff_ideal_packet(unsigned long long seq, unsigned long long pc, unsigned bytes,
                             unsigned long long *target) {
    uint64_t to = 0;
    unsigned answer = dpi_running_client()->ideal_packet(dpi_running_client()->context, seq, pc, bytes, &to);
    *target = to;
    return answer;
}

unsigned tipoff_ideal_store(unsigned long long seq, unsigned long long addr, unsigned mask) {
    return dpi_running_client()->ideal_store(dpi_running_client()->context, seq, addr, mask);
}
