// HTIF: commands as they come in stores, and their way through memory: see htif.h for those that are served.
#include "machine/console.h"
#include "machine/htif_internal.h"
#include "memory_map.h"
#include <errno.h>

enum { DEVICE_SYSTEM, DEVICE_CONSOLE };
enum { CONSOLE_READ, CONSOLE_WRITE };
#define ROW(type, name, dimension, range) STATE_ROW(struct htif, type, name, range),
// NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is meant
static const struct state_member rows[] = {HTIF_STATE(ROW)};
const struct state_table htif_table = STATE_TABLE(rows);

static unsigned device_of(uint64_t command) {
    return command >> 56 & 0xff;
}
static unsigned command_of(uint64_t command) {
    return command >> 48 & 0xff;
}
int htif_find(const struct image *image, uint64_t memory, uint64_t *tohost, uint64_t *fromhost, struct error *err) {
    *tohost = image_symbol(image, "tohost", 0);
    *fromhost = image_symbol(image, "fromhost", 0);
    const struct {
        const char *name;
        uint64_t address;
    } words[] = {{"tohost", *tohost}, {"fromhost", *fromhost}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i].address) continue;
        bool inside = words[i].address - DRAM_BASE <= memory - 8;
        if (inside && words[i].address % 8 == 0) continue;
        error_set(err, "%s: %s is at 0x%llx, %s: place it there (.balign 8)", image_path(image), words[i].name,
                  (unsigned long long)words[i].address, inside ? "not on an 8-byte boundary" : "outside DRAM");
        return -EINVAL;
    }
    return 0;
}

void htif_reset(struct htif *h, uint64_t tohost, uint64_t fromhost, FILE *out, FILE *in) {
    *h = (struct htif){.tohost = tohost, .fromhost = fromhost, .out = out, .in = in};
}

static void system_call(struct htif *h) {
    h->place = htif_payload(h->command);
    h->step = h->place % 8 == 0 && h->fromhost ? HTIF_ARGUMENTS : HTIF_IDLE;
    h->refused = h->step == HTIF_IDLE;
}

static void console(struct htif *h) {
    h->step = HTIF_TAKE;
    h->answer = 0;
    if (command_of(h->command) == CONSOLE_WRITE) {
        htif_print(h, (uint8_t)h->command);
        return;
    }
    int byte = console_byte(h->in); // no byte, no answer
    h->received += byte != EOF;
    if (byte != EOF && h->fromhost) h->answer = (h->command & UINT64_C(0xffff) << 48) | 0x100u | (unsigned)byte;
}

static void begin(struct htif *h, uint64_t command) {
    if (!command || h->exited) return;
    if (h->step != HTIF_IDLE) {
        h->queued = command;
        return;
    }
    h->command = command;
    unsigned device = device_of(command), number = command_of(command);
    if (device == DEVICE_SYSTEM && number == 0 && command & 1) {
        h->exited = true;
        h->code = htif_payload(command) >> 1;
    } else if (device == DEVICE_SYSTEM && number == 0) {
        system_call(h);
    } else if (device == DEVICE_CONSOLE && number <= CONSOLE_WRITE) {
        console(h);
    } else {
        h->refused = true;
    }
}

// ---- stores ----
static void act(struct htif *h) {
    uint64_t command = h->word;
    h->word = 0;
    h->stored = 0;
    begin(h, command);
}

void htif_store(struct htif *h, uint64_t address, unsigned bytes, uint64_t data, uint64_t now) {
    uint64_t offset = address - h->tohost;
    if (!h->tohost || offset >= 8 || bytes > 8 - offset) return;
    uint8_t these = (uint8_t)(((1u << bytes) - 1) << offset);
    uint64_t mask = (bytes == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * bytes) - 1) << 8 * offset;
    if (h->stored & these) act(h);
    h->word = (h->word & ~mask) | (data << 8 * offset & mask);
    h->stored |= these;
    h->due = now + HTIF_PATIENCE;
    if (h->stored == 0xff) act(h);
}

void htif_end(struct htif *h, uint64_t code) {
    h->exited = true;
    h->code = code;
}

void htif_restart(struct htif *h, uint64_t now) {
    h->due = now + HTIF_PATIENCE;
}

void htif_tick(struct htif *h, uint64_t now) {
    if (h->stored && now >= h->due) act(h);
}

// ---- memory ----
bool htif_wants(const struct htif *h, uint64_t *address) {
    switch (h->step) {
    case HTIF_ARGUMENTS:
    case HTIF_TEXT:
    case HTIF_PATH:
    case HTIF_FILL: *address = h->place & ~UINT64_C(7); return true;
    case HTIF_RESULT: *address = htif_payload(h->command); return true;
    case HTIF_TAKE: *address = h->tohost; return true;
    case HTIF_ANSWER: *address = h->fromhost; return true;
    default: return false;
    }
}

static void finish(struct htif *h) {
    uint64_t next = h->queued;
    h->step = HTIF_IDLE;
    h->queued = 0;
    begin(h, next);
}

bool htif_access(struct htif *h, uint64_t *word) {
    switch (h->step) {
    case HTIF_ARGUMENTS: htif_take_argument(h, *word); return false;
    case HTIF_TEXT: htif_take_text(h, *word); return false;
    case HTIF_PATH: htif_take_path(h, *word); return false;
    case HTIF_FILL: htif_fill_word(h, word); return true;
    case HTIF_RESULT:
        *word = h->arguments[0];
        h->answer = 1;
        h->step = HTIF_TAKE;
        return true;
    case HTIF_TAKE: {
        // What the program has stored there since is a command of its own.
        bool ours = *word == h->command;
        if (ours) *word = 0;
        if (h->answer) {
            h->step = HTIF_ANSWER;
        } else {
            finish(h);
        }
        return ours;
    }
    case HTIF_ANSWER:
        if (*word) return false; // the program has not read the one before
        *word = h->answer;
        finish(h);
        return true;
    default: return false;
    }
}

void htif_refusal(const struct htif *h, const char *program, struct error *err) {
    uint64_t c = h->command;
    if (device_of(c) != DEVICE_SYSTEM || command_of(c) != 0) {
        error_set(err,
                  "%s: stored 0x%016llx to tohost: HTIF device %u, command %u is not served: use device 0 (exit, "
                  "system calls) "
                  "and device 1 (console) only",
                  program, (unsigned long long)c, device_of(c), command_of(c));
    } else if (htif_payload(c) % 8) {
        error_set(err, "%s: stored 0x%016llx to tohost: no exit code (bit 0) and no system call at an 8-byte boundary",
                  program, (unsigned long long)c);
    } else if (!h->fromhost) {
        error_set(err, "%s: a system call of the host (HTIF) without a symbol fromhost for the answer: define it",
                  program);
    } else {
        error_set(err,
                  "%s: system call %llu of the host (HTIF) is not served: openat (56), close (57), lseek (62), "
                  "read (63), write (64), exit (93) and getmainvars (2011) are",
                  program, (unsigned long long)h->arguments[0]);
    }
}
