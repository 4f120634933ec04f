// What a checkpoint has beside harts and memory, for a core's own machine, and back from there: see resume.h.
#include "iss/iss_internal.h"
#include "iss/resume.h"
#include "machine/console.h"

void resume_devices(const struct iss *from, struct resume_devices *out) {
    *out = (struct resume_devices){.peripherals = from->peripherals,
                                   .further = from->plic_further,
                                   .mtime = iss_mtime(from),
                                   .htif = from->htif,
                                   .hart_id = from->harts[0].id};
    for (unsigned i = 0; i < from->hart_count; i++) {
        out->harts[i].mtimecmp = from->harts[i].mtimecmp;
        out->harts[i].msip = from->harts[i].msip;
    }
    out->htif.out = out->htif.in = NULL;
    out->htif.host = NULL;
    for (unsigned i = 0; i < 2; i++)
        out->peripherals.uart[i].out = out->peripherals.uart[i].in = NULL;
}

void resume_give_devices(struct iss *iss, const struct resume_devices *devices) {
    const struct console *c = &iss->console;
    iss->peripherals = devices->peripherals;
    iss->peripherals.uart[0].out = c->out;
    iss->peripherals.uart[0].in = c->in;
    iss->peripherals.uart[1].out = c->out1;
    struct hart *h = iss_only(iss);
    h->mtimecmp = devices->harts[0].mtimecmp;
    h->msip = devices->harts[0].msip;
    iss->htif.received = devices->htif.received;
    iss->htif.files = devices->htif.files;
    console_skip(c->in, devices->htif.received);
    console_skip(c->in, devices->peripherals.uart[0].received);
}

void resume_set_time(struct iss *iss, uint64_t mtime, uint64_t cycles) {
    iss->mtime_offset += mtime - iss_mtime(iss);
    struct hart *h = iss_only(iss);
    if (!(h->csr[CSR_MCOUNTINHIBIT] & 1)) h->mcycle_offset += cycles;
}

void resume_received(struct iss *iss) {
    iss->htif.received++;
    (void)console_byte(iss->console.in);
}

void resume_answered(struct iss *iss, uint64_t words, uint64_t result) {
    uint64_t call[5] = {0};
    char path[HOST_PATH + 1] = "";
    if (!iss_read(iss, words, call, sizeof call)) return;
    if (call[3] <= HOST_PATH) (void)iss_read(iss, call[2], path, call[3]);
    for (uint64_t typed = htif_follow(&iss->htif, call, path, (int64_t)result); iss->console.in && typed > 0; typed--)
        (void)console_byte(iss->console.in);
}
