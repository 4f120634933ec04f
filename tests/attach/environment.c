// The environment, for SystemVerilog: getenv of stdlib.h is not as Verilator would declare it.
#include <stdlib.h>

const char *tipoff_environment(const char *name);

// "" where there is no such variable.
const char *tipoff_environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}
