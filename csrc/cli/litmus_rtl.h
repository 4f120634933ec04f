// Litmus tests on the RTL cores: `tipoff litmus --on rtl`.
#ifndef TIPOFF_CLI_LITMUS_RTL_H
#define TIPOFF_CLI_LITMUS_RTL_H

#include "litmus/machine.h"

#define LITMUS_RTL_CONFIG "small2c" // unless another one is named
extern const struct litmus_machine litmus_machine_rtl;

#endif
