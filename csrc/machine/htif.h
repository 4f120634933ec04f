// The host's end of HTIF: commands that a program stores to `tohost`, and the answers it finds in `fromhost`. One
// implementation for the ISS and for the harness of a core.
//
// A command is one 64-bit word: device in bits 63:56, command in 55:48, payload in 47:0. Served, as riscv-isa-sim does:
//
//   device 0, command 0   payload bit 0 set: the program ends with exit code payload >> 1
//                         else a system call: payload is the address of eight words, number and arguments; the
//                         result goes to the first of them, and fromhost becomes 1. Served: write (64) to 1 and 2,
//                         exit (93), read (63) of 0 and of files, openat (56) to read, close (57), lseek (62), and
//                         getmainvars (2011), the program's arguments
//   device 1, command 0   reads a byte of the console: fromhost becomes this word's device and command, 0x100 | byte
//   device 1, command 1   prints the byte in payload 7:0
//
// tohost is 0 again when the host has taken the command; anything else ends the run with a message (htif_refused).
//
// Stores may be of any width. One of less than 8 bytes is held back until the others have come: until all 8 bytes were
// stored, one of them a second time, or HTIF_PATIENCE steps have passed (riscv-tests store two halves, riscv-arch-test
// one). Memory is reached word by word, in the caller's own time: on a core the words lie in its cache.
#ifndef TIPOFF_MACHINE_HTIF_H
#define TIPOFF_MACHINE_HTIF_H

#include "base/elf.h"
#include "machine/host_files.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { HTIF_PATIENCE = 1000 }; // steps of `now`: cycles or instructions
// Bytes that one call prints, and returns as printed, as POSIX's write may: on the ISS a call is one instruction.
enum { HTIF_TEXT_MOST = 1 << 16 };

// What the user gives the program.
struct htif_host {
    uint64_t memory;   // bytes of DRAM; 0: DRAM_BYTES
    char *const *argv; // its arguments, its own name first, ended by NULL; borrowed; NULL: none
    struct host_roots roots;
};

enum htif_step { HTIF_IDLE, HTIF_ARGUMENTS, HTIF_TEXT, HTIF_PATH, HTIF_FILL, HTIF_RESULT, HTIF_TAKE, HTIF_ANSWER };
// clang-format off
#define HTIF_STATE(FIELD) \
    FIELD(uint64_t, tohost, , STATE_ANY)      /* addresses; 0: none */ \
    FIELD(uint64_t, fromhost, , STATE_ANY) \
    FIELD(FILE *, out, , STATE_ELSEWHERE)     /* the console; NULL: nowhere, nothing */ \
    FIELD(FILE *, in, , STATE_ELSEWHERE) \
    FIELD(struct htif_host *, host, , STATE_ELSEWHERE) /* borrowed; NULL: no arguments, no more folders, DRAM_BYTES */ \
    FIELD(uint64_t, word, , STATE_ANY)        /* what the narrow stores have made so far */ \
    FIELD(uint64_t, due, , STATE_ANY)         /* when to give up waiting for more */ \
    FIELD(uint8_t, stored, , STATE_ANY)       /* its bytes */ \
    FIELD(uint64_t, command, , STATE_ANY)     /* served */ \
    FIELD(uint64_t, queued, , STATE_ANY)      /* the next one (0: none) */ \
    FIELD(enum htif_step, step, , STATE_UP_TO(HTIF_ANSWER)) \
    FIELD(uint64_t, arguments, [5], STATE_ANY) /* of a system call */ \
    FIELD(uint64_t, place, , STATE_ANY)       /* next address of its words or its text */ \
    FIELD(uint64_t, answer, , STATE_ANY) \
    FIELD(struct host_block, block, , STATE_OF(host_block_table)) /* a path that the program names, or what it has asked for */ \
    FIELD(struct host_files, files, , STATE_OF(host_files_table)) \
    FIELD(bool, exited, , STATE_FLAG) \
    FIELD(bool, refused, , STATE_FLAG) \
    FIELD(uint64_t, code, , STATE_ANY)        /* exit code, 47 bits */ \
    FIELD(uint64_t, received, , STATE_ANY)    /* bytes taken from `in` */
// clang-format on
struct htif {
    HTIF_STATE(STATE_MEMBER)
};
extern const struct state_table htif_table;
// Whether one whose members are each in range is one that can be: a call under way stays inside its words, its path,
// its block, and the memory (bytes of DRAM).
bool htif_possible(const struct htif *h, uint64_t memory);

// Where the program has its two words, in `memory` bytes of DRAM. 0, or -EINVAL with err: tohost is no 8-byte word of
// memory. No symbol: 0.
int htif_find(const struct image *image, uint64_t memory, uint64_t *tohost, uint64_t *fromhost, struct error *err);
// out and in stay the caller's.
void htif_reset(struct htif *h, uint64_t tohost, uint64_t fromhost, FILE *out, FILE *in);

// A store is done; any other address than tohost's is passed over.
void htif_store(struct htif *h, uint64_t address, unsigned bytes, uint64_t data, uint64_t now);
void htif_tick(struct htif *h, uint64_t now); // time has passed
// The steps of `now` restart: what is held back waits for its full time again.
void htif_restart(struct htif *h, uint64_t now);
static inline bool htif_waits(const struct htif *h) {
    return h->stored != 0;
}

// The program has ended in another way, with this code.
void htif_end(struct htif *h, uint64_t code);

// Whether it wants to look at a word of memory, and which (8-byte aligned).
bool htif_wants(const struct htif *h, uint64_t *address);
// Whether it may write to it.
static inline bool htif_writes(const struct htif *h) {
    return h->step >= HTIF_FILL;
}
// That word is *word. True: it becomes what *word is then.
bool htif_access(struct htif *h, uint64_t *word);

// Another host has answered the system call with these words (as they stood before it did; path: the one that openat
// names): what its console and its files have become. How many bytes of the console it has taken.
uint64_t htif_follow(struct htif *h, const uint64_t words[5], const char *path, int64_t result);

// A line (program, fault, remedy) about a command that is not served. Only where h->refused.
void htif_refusal(const struct htif *h, const char *program, struct error *err);

// The exit status of a process for a program's exit code: codes above 255 do not fit one and become 255, so that none
// of them looks like another, or like success.
static inline int htif_status(uint64_t code) {
    return code > 255 ? 255 : (int)code;
}

#endif
