// A toy of the coherence protocol: a hub, up to three L1 data caches, two lines of one bit, links as queues. search.c
// walks through all that can happen; each rule of the protocol can be left out, and then a property must break.
//
//   L1 -- request: GET, OWN, TRYGET, IGET, one a line -----------> hub
//      -- up: PUT (dirty victim) and ACK of a snoop, in one order ->
//      <- down: SNOOP and PUT_ACK, in one order -------------------
//      <- answer, one a line --------------------------------------
//      -- done, one a line: the refill is written ---------------->
//
// What the hub knows of a hart stands in that hart's record, so that states that differ in the names of harts alone are
// one state (search.c sorts harts and lines, and counts values from what was written last).
#ifndef TESTS_COHERENCE_PROTOCOL_H
#define TESTS_COHERENCE_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

enum { HARTS = 3, LINES = 2, QUEUE = 2 * LINES, FIFO = 6 };

// rules.tsv says what each is, and what breaks without it.
#define RULES(X)                                                                                                       \
    X(BUFFER_UNTIL_ACK, "buffer-until-ack")                                                                            \
    X(OWN_REQUEST_WAITS, "own-request-waits")                                                                          \
    X(PUT_NOT_BEHIND_GET, "put-not-behind-get")                                                                        \
    X(UP_IN_ORDER, "up-in-order")                                                                                      \
    X(DOWN_IN_ORDER, "down-in-order")                                                                                  \
    X(NEWEST_DATA, "newest-data")                                                                                      \
    X(LOADS_HEAR, "loads-hear-misses")                                                                                 \
    X(RESERVATION_HEARS, "reservation-hears-misses")                                                                   \
    X(AMO_HEARS, "amo-hears-misses")                                                                                   \
    X(AMO_RETRIES, "amo-retries")                                                                                      \
    X(SC_JUDGED_LATE, "sc-judged-late")                                                                                \
    X(JUDGED_IN_ACT, "judged-in-act")                                                                                  \
    X(BUSY_UNTIL_DONE, "busy-until-done")                                                                              \
    X(ALL_ACKS, "all-acks")                                                                                            \
    X(INVAL_ALL, "inval-all")                                                                                          \
    X(HOLD, "hold")                                                                                                    \
    X(HOLD_UNTIL_WRITE, "hold-until-write")                                                                            \
    X(UPGRADE_DROPS, "upgrade-drops")                                                                                  \
    X(DIRTY_HANDED_OVER, "dirty-handed-over")                                                                          \
    X(SHARE_WRITES_BACK, "share-writes-back")                                                                          \
    X(PEEK_CHANGES_NOTHING, "peek-changes-nothing")                                                                    \
    X(REFUSED_ASKS_AGAIN, "refused-asks-again")                                                                        \
    X(FETCH_LOOKS_AT_OWN, "fetch-looks-at-own")
#define RULE_ID(id, name) id,
enum rule { RULES(RULE_ID) RULE_COUNT };

enum { LOADS = 1, STORES = 2, EVICTIONS = 4, AMOS = 8, RESERVATIONS = 16, PREFETCHES = 32, FETCHES = 64 };

struct options {
    unsigned harts, lines;
    unsigned operations; // LOADS and so on
    unsigned buffer;     // entries of a write-back buffer
    unsigned open;       // transactions of the hub at once
    bool late_done;      // HOLD by a DONE that waits for the use, not by the L1
    uint32_t without;    // rules that are left out, a bit each
};
static inline bool has_rule(const struct options *o, enum rule rule) {
    return !(o->without >> rule & 1);
}

enum copy { INVALID, SHARED, EXCLUSIVE, MODIFIED };
enum asker { NOBODY, LOAD, STORE, AMO, LR, PREFETCH, JOINED, FETCH }; // JOINED: a load that waits for a prefetch
enum request { NONE, GET, OWN, TRYGET, IGET };
enum kind { SHARE, INVAL, TRY, PEEK, PUT_ACK, PUT, ACK };
enum entry { EMPTY, LIVE, VOID };     // of a write-back buffer
enum bound { UNBOUND, BOUND, STALE }; // STALE: another hart has written since

struct message {
    uint8_t kind : 3, line : 1, data : 1, keeps : 1, has : 1,
        refuses : 1; // of an ACK: a copy stays; has: data come with it
};
struct line {
    uint64_t copy : 2, data : 1;              // of the array
    uint64_t asker : 3, request : 3;          // the MSHR, and its request until the hub takes it
    uint64_t unused : 3;                      // whom the line was refilled for, until it has used it
    uint64_t entry : 2, victim : 1, sent : 1; // the write-back buffer, its data, and whether its PUT is on its way
    uint64_t load : 2;                        // the younger of two loads, while the older one is not done
    uint64_t owner : 1, awaited : 1;          // of the hub's transaction of the line: asks for it; its ack is pending
    uint64_t done : 1;                        // on its way
    uint64_t seen : 2;                        // values of the line since an instruction miss asked for it, a bit each
    uint64_t looked : 3, taken : 1;           // a snoop has looked but not acted: 1 + copy, and data
    uint64_t answer : 1, exclusive : 1, dirty : 1, refused : 1, value : 1; // on its way
};
struct hart {
    struct line lines[LINES];
    struct message down[QUEUE], up[QUEUE];
    uint8_t downs, ups;
    uint8_t reservation, reserved; // 1 + line, and enum bound
    uint8_t conditional;           // an SC that was judged before its write: 1 + line
    uint8_t amo, read;             // 1 + line that an AMO has read but not written, and enum bound
};
struct hub_line {
    uint16_t kind : 3; // enum request: of the transaction
    uint16_t answered : 1, kept : 1, refused : 1;
    uint16_t has : 1, acked : 1; // data of an ACK
    uint16_t put : 1, late : 1;  // data of a PUT that came meanwhile
    uint16_t fetched : 1;        // memory's data, read when it began
    uint16_t memory : 1, latest : 1;
};
struct state {
    struct hart harts[HARTS];
    struct hub_line hub[LINES];
    uint8_t fifo[FIFO], length; // without PUT_NOT_BEHIND_GET: requests and PUTs, 8 * is it a PUT + 2 * hart + line
};

// What can happen next: what software and core do; from INTERNAL on, what happens by itself.
// clang-format off
#define ACTIONS(X) \
    X(LOAD_YOUNG) X(LOAD_OLD) X(WRITE) X(AMO_READ) X(AMO_WRITE) X(RESERVE) X(CONDITIONAL) X(CONDITIONAL_WRITE) \
    X(MISS_LOAD) X(MISS_STORE) X(MISS_AMO) X(MISS_LR) X(MISS_PREFETCH) X(MISS_FETCH) X(JOIN) X(EVICT) X(TAKE) \
    X(ANSWER) X(DOWN) X(LOOK) X(SEND) X(UP) X(REFILL) X(DONE) X(EXPIRE)
// clang-format on
#define ACTION_ID(id) DO_##id,
enum action { ACTIONS(ACTION_ID) ACTION_COUNT, INTERNAL = DO_TAKE };

// Each does one action of a hart and a line, if it can happen. *broken: the property that it breaks, else unchanged.
bool core_act(const struct options *o, struct state *s, unsigned hart, unsigned line, enum action action,
              const char **broken);
bool cache_act(const struct options *o, struct state *s, unsigned hart, unsigned line, enum action action,
               const char **broken);
bool hub_act(const struct options *o, struct state *s, unsigned hart, unsigned line, enum action action);
// Send a request, and the PUT of a line's entry, to the hub; false: no room.
bool hub_ask(const struct options *o, struct state *s, unsigned hart, unsigned line, enum request request);
bool hub_put(const struct options *o, struct state *s, unsigned hart, unsigned line);

struct found {
    const char *broken; // NULL: nothing; "too large": there are more than `most` states
    uint64_t states;
    unsigned depth; // of the way to it, in actions; or of all
};
// Walks through all that can happen, the nearest first. trace: prints the way to what breaks.
struct found search(const struct options *o, uint64_t most, bool trace);

#endif
