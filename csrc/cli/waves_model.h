// The model of a configuration that writes waveforms: it is built when it is asked for first.
#ifndef TIPOFF_CLI_WAVES_MODEL_H
#define TIPOFF_CLI_WAVES_MODEL_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

// Its path, FOLDER/CONFIG/model-fst.so, in out. In the source tree (FOLDER is its build/) make builds it where it is
// missing or older than its sources, which takes minutes and prints one line on stderr; elsewhere it has to exist.
// False with err: it is not, or it cannot be built.
bool waves_model_find(const char *folder, const char *config, char *out, size_t size, struct error *err);

#endif
