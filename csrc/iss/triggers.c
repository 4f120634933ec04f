// Registers of triggers on addresses (Sdtrig): iss_internal.h. Nothing happens here where they match.
#include "iss/iss_internal.h"

static const struct csr_info rows[] = {CSR_INFO_ROWS};

static uint64_t reset_of(unsigned address) {
    size_t i = 0;
    while (rows[i].address != address)
        i++;
    return rows[i].reset;
}

void iss_triggers_reset(struct hart *h) {
    h->trigger = 0;
    for (size_t i = 0; i < ISS_TRIGGERS; i++)
        h->tdata[i] = (struct iss_trigger){.control = reset_of(CSR_TDATA1)};
}

uint64_t iss_trigger_read(const struct hart *h, unsigned address) {
    switch (address) {
    case CSR_TSELECT: return h->trigger;
    case CSR_TDATA1: return h->tdata[h->trigger].control;
    case CSR_TDATA2: return h->tdata[h->trigger].address;
    default: return reset_of(address);
    }
}

bool iss_trigger_write(struct hart *h, unsigned address, uint64_t value) {
    if (address == CSR_TSELECT) h->trigger = (unsigned)value & (h->triggers - 1);
    if (address == CSR_TDATA1) h->tdata[h->trigger].control = value;
    if (address == CSR_TDATA2) h->tdata[h->trigger].address = value;
    return iss_is_trigger(address);
}

void hart_trigger(const struct hart *h, unsigned number, uint64_t *control, uint64_t *address) {
    *control = number < h->triggers ? h->tdata[number].control : 0;
    *address = number < h->triggers ? h->tdata[number].address : 0;
}
