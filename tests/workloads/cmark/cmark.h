// Data and kernels of the CoreMark work-alike: see cmark.c.
#ifndef WORKLOAD_CMARK_H
#define WORKLOAD_CMARK_H

#include "runtime.h"

enum { DATA = SIZED(1000, 2000, 2000), PART = DATA / 3 };
enum { KERNEL = 15, PARAMETER = 7, KNOWN = 0x80, ANSWER = 0x7F }; // fields of an item's work

struct item {
    int16_t work; // bits 15..8: the item's byte. Bits 7..0: that byte again, or KNOWN and the kernel's answer
    int16_t index;
};

struct node {
    struct node *next;
    struct item *item;
};

enum { ITEMS = PART / (sizeof(struct node) + sizeof(struct item)) - 1 };

// cmark.c
uint16_t crc16(uint16_t value, uint16_t crc);
int answer(struct item *item);

// list.c
struct node *list_build(void *memory, uint16_t seed);
uint16_t list_pass(struct node **list, bool by_value, int searches);

// matrix.c
void matrix_build(void *memory, uint16_t seed);
uint16_t matrix_work(int parameter);

// state.c
void text_build(void *memory, uint16_t seed);
uint16_t text_work(int parameter);

#endif
