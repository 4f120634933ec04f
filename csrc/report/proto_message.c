// Messages of protocol buffers are put together field by field.
#include "report/proto_message.h"
#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

static void proto_bytes(struct proto_message *m, const void *bytes, size_t count) {
    if (m->count + count > m->capacity) {
        const size_t capacity = 2 * (m->count + count) + 64;
        uint8_t *grown = m->failed ? NULL : realloc(m->bytes, capacity);
        if (!grown) {
            m->failed = true;
            return;
        }
        m->bytes = grown;
        m->capacity = capacity;
    }
    if (count) memcpy(m->bytes + m->count, bytes, count);
    m->count += count;
}

void proto_varint(struct proto_message *m, uint64_t value) {
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (uint8_t)(value | 0x80);
    bytes[count++] = (uint8_t)value;
    proto_bytes(m, bytes, count);
}

void proto_number(struct proto_message *m, unsigned field, uint64_t value) {
    if (!value) return;
    proto_varint(m, (uint64_t)field << 3 | WIRE_VARINT);
    proto_varint(m, value);
}

void proto_text(struct proto_message *m, unsigned field, const void *bytes, size_t count) {
    proto_varint(m, (uint64_t)field << 3 | WIRE_BYTES);
    proto_varint(m, count);
    proto_bytes(m, bytes, count);
}

void proto_message(struct proto_message *m, unsigned field, struct proto_message *part) {
    proto_text(m, field, part->bytes, part->count);
    m->failed = m->failed || part->failed;
    part->count = 0;
}
