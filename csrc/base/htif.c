// HTIF: see htif.h for the commands that are served.
#include "base/htif.h"
#include "memory_map.h"
#include <errno.h>
#include <string.h>

enum { DEVICE_SYSTEM, DEVICE_CONSOLE };
enum { CONSOLE_READ, CONSOLE_WRITE };
enum { CALL_WRITE = 64, CALL_EXIT = 93 };

static unsigned device_of(uint64_t command) {
    return command >> 56 & 0xff;
}
static unsigned command_of(uint64_t command) {
    return command >> 48 & 0xff;
}
static uint64_t payload_of(uint64_t command) {
    return command & ((UINT64_C(1) << 48) - 1);
}

int htif_find(const struct image *image, uint64_t *tohost, uint64_t *fromhost, struct error *err) {
    *tohost = image_symbol(image, "tohost", 0);
    *fromhost = image_symbol(image, "fromhost", 0);
    const struct {
        const char *name;
        uint64_t address;
    } words[] = {{"tohost", *tohost}, {"fromhost", *fromhost}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i].address) continue;
        bool inside = words[i].address - DRAM_BASE <= DRAM_BYTES - 8;
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

static void print(struct htif *h, uint8_t byte) {
    if (h->out) fputc(byte, h->out);
}

static void system_call(struct htif *h) {
    h->place = payload_of(h->command);
    h->step = h->place % 8 == 0 && h->fromhost ? HTIF_ARGUMENTS : HTIF_IDLE;
    h->refused = h->step == HTIF_IDLE;
}

static void console(struct htif *h) {
    h->step = HTIF_TAKE;
    h->answer = 0;
    if (command_of(h->command) == CONSOLE_WRITE) {
        print(h, (uint8_t)h->command);
        return;
    }
    int byte = h->in ? fgetc(h->in) : EOF; // no byte, no answer
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
        h->code = payload_of(command) >> 1;
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

void htif_tick(struct htif *h, uint64_t now) {
    if (h->stored && now >= h->due) act(h);
}

// ---- memory ----
bool htif_wants(const struct htif *h, uint64_t *address) {
    switch (h->step) {
    case HTIF_ARGUMENTS:
    case HTIF_TEXT: *address = h->place & ~UINT64_C(7); return true;
    case HTIF_RESULT: *address = payload_of(h->command); return true;
    case HTIF_TAKE: *address = h->tohost; return true;
    case HTIF_ANSWER: *address = h->fromhost; return true;
    default: return false;
    }
}

static void give_result(struct htif *h, uint64_t result) {
    h->arguments[0] = result;
    h->step = HTIF_RESULT;
}

static void call(struct htif *h) {
    const uint64_t *a = h->arguments;
    if (a[0] == CALL_EXIT) {
        h->exited = true;
        h->code = a[1];
        h->step = HTIF_IDLE;
    } else if (a[0] != CALL_WRITE) {
        h->refused = true;
        h->step = HTIF_IDLE;
    } else if (a[1] < 1 || a[1] > 2) {
        give_result(h, (uint64_t)-EBADF);
    } else if (a[2] - DRAM_BASE >= DRAM_BYTES || a[3] > DRAM_BYTES - (a[2] - DRAM_BASE)) {
        give_result(h, (uint64_t)-EFAULT);
    } else if (a[3] == 0) {
        give_result(h, 0);
    } else {
        h->place = a[2];
        h->step = HTIF_TEXT;
    }
}

static void take_text(struct htif *h, uint64_t word) {
    uint64_t end = h->arguments[2] + h->arguments[3];
    do
        print(h, (uint8_t)(word >> 8 * (h->place % 8)));
    while (++h->place % 8 && h->place < end);
    if (h->place == end) give_result(h, h->arguments[3]);
}

static void finish(struct htif *h) {
    uint64_t next = h->queued;
    h->step = HTIF_IDLE;
    h->queued = 0;
    begin(h, next);
}

bool htif_access(struct htif *h, uint64_t *word) {
    switch (h->step) {
    case HTIF_ARGUMENTS: {
        size_t i = (h->place - payload_of(h->command)) / 8;
        h->arguments[i] = *word;
        h->place += 8;
        if (i == 3) call(h);
        return false;
    }
    case HTIF_TEXT: take_text(h, *word); return false;
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
        error_set(
            err,
            "%s: stored 0x%016llx to tohost: HTIF device %u, command %u is not served: use device 0 (exit, write) "
            "and device 1 (console) only",
            program, (unsigned long long)c, device_of(c), command_of(c));
    } else if (payload_of(c) % 8) {
        error_set(err, "%s: stored 0x%016llx to tohost: no exit code (bit 0) and no system call at an 8-byte boundary",
                  program, (unsigned long long)c);
    } else if (!h->fromhost) {
        error_set(err, "%s: a system call of the host (HTIF) without a symbol fromhost for the answer: define it",
                  program);
    } else {
        error_set(err, "%s: system call %llu of the host (HTIF) is not served: write (64) and exit (93) are", program,
                  (unsigned long long)h->arguments[0]);
    }
}
