// The direction predictor of rtl/fetch/tage.sv and tage_table.sv, bit by bit: TAGE (Seznec and Michaud, "A case for
// (partially) tagged geometric history length branch prediction", JILP 2006) on the path of taken transfers. A row is a
// fetch block's: an entry for each slot (16-bit parcel). What a packet reads is kept with it until it trains.
#ifndef TIPOFF_METHODS_GUS_TAGE_H
#define TIPOFF_METHODS_GUS_TAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { GUS_TAGE_TABLES = 8, GUS_TAGE_SLOTS = 16 };

struct gus_tage_branch {
    uint8_t slot, provider, counter, useful; // provider 0: the base; useful: bit t: table t's entry
    bool alternative, taken;                 // alternative: direction without the provider
};
struct gus_tage_packet {             // what was read for it
    uint32_t first[GUS_TAGE_TABLES]; // of each table: where its entry for slot 0 is; that for slot s: first ^ s
    uint32_t tag[GUS_TAGE_TABLES];
    uint32_t base, key;                                   // row; block
    struct gus_tage_branch branch[GUS_TAGE_SLOTS], guess; // guess: read last by gus_tage_taken, if there was one
    bool guessed, placed;                                 // placed: its entries and tags are known
    uint8_t count;                                        // of its conditional branches so far
    bool blind; // read while the tables were being cleared: no branch is taken
};

struct gus_tage;
// tables: 0 to GUS_TAGE_TABLES; rows, base_rows: powers of two; slots: up to GUS_TAGE_SLOTS. NULL: no memory.
struct gus_tage *gus_tage_create(uint32_t tables, uint32_t rows, uint32_t base_rows, uint32_t slots);
void gus_tage_destroy(struct gus_tage *t); // NULL is fine
void gus_tage_read(struct gus_tage_packet *p, uint64_t block, bool blind);
// Direction of a branch that ends in `slot`; see: and remember it for training, in order of slots. Nothing trains
// or is pushed between the reading of a packet and what is asked of it.
bool gus_tage_taken(const struct gus_tage *t, struct gus_tage_packet *p, unsigned slot);
bool gus_tage_see(const struct gus_tage *t, struct gus_tage_packet *p, unsigned slot);
void gus_tage_forget(struct gus_tage_packet *p); // its branches train nothing
// The branch in slot `taken` was taken, the one in slot `wrong` mispredicted; none has a slot of 255. clearing: the
// tables are being cleared, and learn nothing.
void gus_tage_train(struct gus_tage *t, const struct gus_tage_packet *p, unsigned taken, unsigned wrong, bool clearing);
// A transfer was taken. from: address of its last parcel / 2, to: of its target / 2, the low 16 bits of each.
void gus_tage_push(struct gus_tage *t, uint16_t from, uint16_t to);

#endif
