// What this project reads of TOML: [tables], and in them keys whose values are numbers, texts, true, false, or {tables}
// of those on one line.
#ifndef TIPOFF_BASE_TOML_H
#define TIPOFF_BASE_TOML_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

enum toml_kind { TOML_NUMBER, TOML_TEXT, TOML_TRUTH };
struct toml_value {
    const char *table, *key;
    const char *member; // of a table on one line; NULL: it is the key's own value
    enum toml_kind kind;
    int64_t number;
    const char *text;
    bool truth;
};
// Called with each value, in the order of the file; the texts live until it returns. False with err: what is wrong.
typedef bool toml_take(void *context, const struct toml_value *value, struct error *err);
// False with err: "PATH: line N: WHAT".
bool toml_read(const char *path, toml_take *take, void *context, struct error *err);

#endif
