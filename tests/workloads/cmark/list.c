// The list of cmark: ITEMS nodes over as many items, both scattered in their part of the data.
//
// Item i has the byte (i % 12) + 16 * ((seed ^ i / 4) % 8). A pass starts with the list in order of the indices. It
// searches a hundred times, by index for s = 0, 1, ... or by byte for s = 0, 3, 6, ..., the first item from the head
// that has it. After each search the list is reversed; the item that was found is then taken out and put at the head,
// and 1 + its place in the list before (from 0) times s added to the sum; a miss adds the index of the head item to the
// number of misses. Then: a stable sort by value; the CRC of (value, index) of all items in that order; a sort by
// index, which forgets the answers; the CRC of byte * 256 + index. The pass's result is the CRC of found, misses, sum
// (16 bits each) from there on.
#include "cmark.h"

typedef int compare_t(struct item *a, struct item *b);

static int compare_values(struct item *a, struct item *b) {
    return answer(a) - answer(b);
}

static int compare_indices(struct item *a, struct item *b) {
    a->work = (int16_t)((a->work & 0xFF00) | (a->work >> 8 & 0xFF));
    b->work = (int16_t)((b->work & 0xFF00) | (b->work >> 8 & 0xFF));
    return a->index - b->index;
}

struct node *list_build(void *memory, uint16_t seed) {
    struct node *nodes = memory, *list = NULL;
    struct item *items = (struct item *)(nodes + ITEMS);
    uint8_t place[ITEMS];
    uint64_t state = seed | 1;
    for (int i = 0; i < ITEMS; i++) {
        int other = (int)(random_next(&state) >> 33) % (i + 1);
        place[i] = place[other];
        place[other] = (uint8_t)i;
    }
    for (int i = ITEMS - 1; i >= 0; i--) {
        struct node *node = &nodes[place[i]];
        struct item *item = &items[place[ITEMS - 1 - i]];
        int byte = (i % 12) | ((seed ^ i / 4) % 8) << 4;
        *item = (struct item){.work = (int16_t)(byte << 8 | byte), .index = (int16_t)i};
        *node = (struct node){.next = list, .item = item};
        list = node;
    }
    return list;
}

static struct node *find_index(struct node *list, int index) {
    while (list && list->item->index != index)
        list = list->next;
    return list;
}

static struct node *find_byte(struct node *list, int byte) {
    while (list && (list->item->work >> 8 & 0xFF) != byte)
        list = list->next;
    return list;
}

__attribute__((noinline)) static struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

// Takes the node out and puts it at the head; its place before.
__attribute__((noinline)) static int to_front(struct node **list, struct node *node) {
    int place = 0;
    struct node **link = list;
    for (; *link != node; link = &(*link)->next)
        place++;
    *link = node->next;
    node->next = *list;
    *list = node;
    return place;
}

// Stable merge sort without recursion: runs of 1, 2, 4... nodes, until one run is the list.
__attribute__((noinline)) static struct node *sort(struct node *list, compare_t *compare) {
    for (int length = 1;; length *= 2) {
        struct node *rest = list, *sorted = NULL, **end = &sorted;
        int merges = 0;
        while (rest) {
            struct node *a = rest;
            int a_left = 0, b_left = length;
            for (; a_left < length && rest; a_left++)
                rest = rest->next;
            while (a_left > 0 || (b_left > 0 && rest)) {
                bool from_a = a_left > 0 && (b_left == 0 || !rest || compare(a->item, rest->item) <= 0);
                struct node **from = from_a ? &a : &rest;
                *end = *from;
                *from = (*from)->next;
                end = &(*end)->next;
                if (from_a)
                    a_left--;
                else
                    b_left--;
            }
            merges++;
        }
        *end = NULL;
        list = sorted;
        if (merges <= 1) return list;
    }
}

uint16_t list_pass(struct node **list, bool by_value, int searches) {
    struct node *head = *list;
    uint16_t found = 0, misses = 0, sum = 0, crc = 0;
    for (int s = 0; s < searches; s++) {
        struct node *hit = by_value ? find_byte(head, 3 * s) : find_index(head, s);
        head = reverse(head);
        if (hit) {
            found++;
            sum += (uint16_t)(1 + to_front(&head, hit) * s);
        } else {
            misses += (uint16_t)head->item->index;
        }
    }
    head = sort(head, compare_values);
    for (struct node *node = head; node; node = node->next)
        crc = crc16((uint16_t)(answer(node->item) << 8 | node->item->index), crc);
    head = sort(head, compare_indices);
    for (struct node *node = head; node; node = node->next)
        crc = crc16((uint16_t)((node->item->work & 0xFF) << 8 | node->item->index), crc);
    *list = head;
    return crc16(sum, crc16(misses, crc16(found, crc)));
}
