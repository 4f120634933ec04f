// The ISS: harts take turns, so that a test ends as under sequential consistency; where turns end is the program's
// skew, and each turn ends reservations.
#include "base/elf.h"
#include "iss/iss.h"
#include "litmus/machine.h"

static bool run(const struct litmus_job *job, struct error *err) {
    struct image *image = image_read(job->file, job->path, IMAGE_WHOLE, err);
    struct iss *iss = image ? iss_create_harts(job->harts, err) : NULL;
    bool good = iss && iss_load(iss, image, err) == 0;
    image_destroy(image);
    if (!iss) return false;
    iss_set_quantum(iss, ISS_LEAST_QUANTUM);
    if (good) iss_run(iss, job->most);
    uint64_t code;
    if (good && !iss_exited(iss, &code)) {
        error_set(err, "the harts have not come to an end in %llu instructions: give fewer --iterations",
                  (unsigned long long)job->most);
        good = false;
    }
    good = good && iss_read(iss, job->address, job->memory, job->bytes);
    iss_destroy(iss);
    return good;
}

const struct litmus_machine litmus_machine_iss = {"iss", "the instruction-set simulator", run};
