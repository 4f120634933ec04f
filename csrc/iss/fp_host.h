// What of the floating-point arithmetic the host's may do: see fp_host_values.h. Not for other
// libraries.
#ifndef TIPOFF_ISS_FP_HOST_H
#define TIPOFF_ISS_FP_HOST_H

#include "iss/fp.h"

// As the functions of fp.h; false: not for these operands, and *result says nothing.
// Operands that an operation does not have are 0.
enum fp_operation { FP_ADD, FP_MUL, FP_DIV, FP_SQRT, FP_FMA };
bool fp_host(enum fp_operation op, enum fp_format format, const uint64_t operands[3], const struct fp_env *env,
             uint64_t *result);
bool fp_host_convert(enum fp_format to, enum fp_format from, uint64_t a, const struct fp_env *env, uint64_t *result);
bool fp_host_from_integer(enum fp_format to, bool is_signed, uint64_t value, const struct fp_env *env,
                          uint64_t *result);
bool fp_host_to_integer(enum fp_format from, unsigned bits, uint64_t a, struct fp_env *env, int64_t *result);

#endif
