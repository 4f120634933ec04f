// JSON documents whose strings came from outside: they are UTF-8 when they are written (RFC 8259, section 8.1).
#ifndef TIPOFF_BASE_PLAIN_JSON_H
#define TIPOFF_BASE_PLAIN_JSON_H

#include <cjson/cJSON.h>

// Escapes what is no UTF-8 in its string values (plain_utf8). Where there is no memory for one it becomes shorter.
void plain_json(cJSON *root);

#endif
