// The DPI calls of a tile's link to the hub (sim/machine.sv): passed on to the client as they are.
#include "trace/dpi_internal.h"

void tipoff_hub_request(int kind, int id, unsigned long long line) {
    dpi_running_client()->hub_request(dpi_running_client()->context, (unsigned)kind, (unsigned)id, line);
}

void tipoff_hub_up(int flags, int tag, unsigned long long line, unsigned long long d0, unsigned long long d1,
                   unsigned long long d2, unsigned long long d3, unsigned long long d4, unsigned long long d5,
                   unsigned long long d6, unsigned long long d7) {
    const uint64_t data[8] = {d0, d1, d2, d3, d4, d5, d6, d7};
    dpi_running_client()->hub_up(dpi_running_client()->context, (unsigned)flags, (unsigned)tag, line, data);
}

void tipoff_hub_done(int transaction) {
    dpi_running_client()->hub_done(dpi_running_client()->context, (unsigned)transaction);
}

void tipoff_hub_down(int *kind, int *tag, unsigned long long *line) {
    unsigned what = 0, whose = 0;
    uint64_t where = 0;
    dpi_running_client()->hub_down(dpi_running_client()->context, &what, &whose, &where);
    *kind = (int)what;
    *tag = (int)whose;
    *line = where;
}

void tipoff_hub_answer(int *id, int *transaction, int *flags, unsigned long long *d0, unsigned long long *d1,
                       unsigned long long *d2, unsigned long long *d3, unsigned long long *d4, unsigned long long *d5,
                       unsigned long long *d6, unsigned long long *d7) {
    unsigned request = 0, number = 0, bits = 0;
    uint64_t data[8] = {0};
    dpi_running_client()->hub_answer(dpi_running_client()->context, &request, &number, &bits, data);
    *id = (int)request;
    *transaction = (int)number;
    *flags = (int)bits;
    *d0 = data[0], *d1 = data[1], *d2 = data[2], *d3 = data[3];
    *d4 = data[4], *d5 = data[5], *d6 = data[6], *d7 = data[7];
}
