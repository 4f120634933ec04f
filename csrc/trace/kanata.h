// Writer of Kanata logs, version 0004: what each instruction did in which cycle, as Konata and Kanata show it.
//
// Text, tab-separated: C= and C (time), I (an instruction appears), L (label), S and E (a stage starts, ends), W (it
// was woken up by), R (it leaves). Only whole lines reach the file, so that a log whose writer died is readable to its
// end. Write errors are kept and returned by kanata_close.
#ifndef TIPOFF_TRACE_KANATA_H
#define TIPOFF_TRACE_KANATA_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

enum kanata_label { KANATA_PANE = 0, KANATA_DETAIL = 1 }; // beside the lines; where the mouse is

struct kanata;
struct kanata *kanata_create(const char *path, struct error *err); // NULL with err
int kanata_close(struct kanata *k, struct error *err);             // 0 or a negative errno; frees k

// What follows happens in this cycle; it never goes back. The first one is where the log starts.
void kanata_time(struct kanata *k, uint64_t cycle);
// file_id: 0, 1, 2, ... in the order of appearance; id: any number.
void kanata_begin(struct kanata *k, uint64_t file_id, uint64_t id);
// Appends to the present text. Tabs and line ends become spaces; "\n" as two characters breaks the line on
// screen.
__attribute__((format(printf, 4, 5))) void kanata_label(struct kanata *k, uint64_t file_id, enum kanata_label where,
                                                        const char *format, ...);
void kanata_start(struct kanata *k, uint64_t file_id, char stage);
void kanata_end(struct kanata *k, uint64_t file_id, char stage);
void kanata_wake(struct kanata *k, uint64_t consumer, uint64_t producer);
// order: number among those that retired; of a flushed one, that of the next to retire.
void kanata_leave(struct kanata *k, uint64_t file_id, uint64_t order, bool flushed);

#endif
