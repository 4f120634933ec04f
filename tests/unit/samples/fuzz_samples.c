// The reader of sample files under libFuzzer: `make fuzz`.
#include "tests/unit/samples/fuzz_samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    if (bytes) fuzz_samples(data, bytes);
    return 0;
}
