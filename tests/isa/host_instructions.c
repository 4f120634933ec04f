// Runs a program on the ISS alone, to its end: test_host_instructions.py counts the host instructions of it.
#include "base/elf.h"
#include "iss/iss.h"
#include <inttypes.h>
#include <stdio.h>

enum { MOST = 10000000 }; // instructions

int main(int argc, char **argv) {
    struct error err = {0};
    struct image *image = argc == 2 ? image_load(argv[1], &err) : NULL;
    struct iss *iss = image ? iss_create(&err) : NULL;
    uint64_t status = 1;
    if (!iss || iss_load(iss, image, &err) < 0) {
        fprintf(stderr, "%s: %s\n", argv[0], argc == 2 ? err.text : "one argument: an ELF file");
    } else {
        iss_set_console(iss, NULL, NULL);
        const uint64_t done = iss_run(iss, MOST);
        if (iss_exited(iss, &status) && status == 0) printf("%" PRIu64 " instructions\n", done);
    }
    iss_destroy(iss);
    image_destroy(image);
    return (int)status;
}
