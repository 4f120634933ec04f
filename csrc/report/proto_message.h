// Messages of protocol buffers in their wire format (https://protobuf.dev/programming-guides/encoding). Not for other
// libraries.
#ifndef TIPOFF_REPORT_PROTO_MESSAGE_H
#define TIPOFF_REPORT_PROTO_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zeros: empty. The bytes are its owner's, who frees them.
struct proto_message {
    uint8_t *bytes;
    size_t count, capacity;
    bool failed; // no memory
};

void proto_varint(struct proto_message *m, uint64_t value);                 // of a packed list
void proto_number(struct proto_message *m, unsigned field, uint64_t value); // 0 is the default, which is left out
void proto_text(struct proto_message *m, unsigned field, const void *bytes, size_t count);
void proto_message(struct proto_message *m, unsigned field, struct proto_message *part); // empties the part

#endif
