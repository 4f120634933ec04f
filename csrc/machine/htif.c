// HTIF: see htif.h for the commands that are served.
#include "machine/htif.h"
#include "base/memory_size.h"
#include "machine/console.h"
#include "memory_map.h"
#include <errno.h>
#include <string.h>

enum { DEVICE_SYSTEM, DEVICE_CONSOLE };
enum { CONSOLE_READ, CONSOLE_WRITE };
// Linux's numbers, and one of riscv-pk.
enum {
    CALL_OPENAT = 56,
    CALL_CLOSE = 57,
    CALL_LSEEK = 62,
    CALL_READ = 63,
    CALL_WRITE = 64,
    CALL_EXIT = 93,
    CALL_GETMAINVARS = 2011
};

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
static uint64_t payload_of(uint64_t command) {
    return command & ((UINT64_C(1) << 48) - 1);
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

static uint64_t memory_of(const struct htif *h) {
    return memory_size_or_default(h->host ? h->host->memory : 0);
}

static bool in_dram(uint64_t memory, uint64_t address, uint64_t bytes) {
    return address - DRAM_BASE < memory && bytes <= memory - (address - DRAM_BASE);
}

// Goes through memory from there, if there is anything to go through.
static void go_through(struct htif *h, enum htif_step step, uint64_t address, uint64_t bytes) {
    if (!in_dram(memory_of(h), address, bytes)) {
        give_result(h, (uint64_t)-EFAULT);
    } else if (bytes == 0) {
        give_result(h, 0);
    } else {
        h->place = address;
        h->step = step;
    }
}

static void write_text(struct htif *h) {
    const uint64_t *a = h->arguments;
    if (a[1] < 1 || a[1] > 2) {
        give_result(h, (uint64_t)-EBADF);
    } else {
        if (in_dram(memory_of(h), a[2], a[3]) && a[3] > HTIF_TEXT_MOST) h->arguments[3] = HTIF_TEXT_MOST;
        go_through(h, HTIF_TEXT, a[2], a[3]);
    }
}

// What is in the block goes to the program; the result is `result`, or that it cannot be put there.
static void fill(struct htif *h, uint64_t address, uint64_t result) {
    h->answer = result;
    if (h->block.count == 0) {
        give_result(h, result);
    } else {
        go_through(h, HTIF_FILL, address, h->block.count);
    }
}

static struct host_roots *roots_of(const struct htif *h) {
    return h->host ? &h->host->roots : NULL;
}

static int64_t read_console(struct htif *h, uint64_t most) {
    int byte = 0;
    h->block.count = 0;
    while (h->block.count < most && h->block.count < HOST_BLOCK && byte != '\n' && (byte = console_byte(h->in)) != EOF)
        h->block.bytes[h->block.count++] = (uint8_t)byte;
    h->received += h->block.count;
    return (int64_t)h->block.count;
}

static void read_file(struct htif *h) {
    const uint64_t *a = h->arguments;
    int64_t got = !in_dram(memory_of(h), a[2], a[3]) ? -EFAULT
                  : a[1] == 0                        ? read_console(h, a[3])
                                                     : host_files_read(&h->files, roots_of(h), a[1], a[3], &h->block);
    if (got <= 0) {
        give_result(h, (uint64_t)got);
    } else {
        fill(h, a[2], (uint64_t)got);
    }
}

static void put_word(struct host_block *block, uint64_t word) {
    memcpy(block->bytes + block->count, &word, sizeof word);
    block->count += sizeof word;
}

// As riscv-pk has it: argc, argv with its NULL, an empty environment, and the texts behind them.
static void give_arguments(struct htif *h) {
    char *const *argv = h->host ? h->host->argv : NULL;
    uint64_t count = 0, bytes = 0;
    for (; argv && argv[count]; count++)
        bytes += strlen(argv[count]) + 1;
    uint64_t text = (count + 3) * sizeof(uint64_t);
    h->block.count = 0;
    if (text + bytes > h->arguments[2] || text + bytes > HOST_BLOCK) {
        give_result(h, (uint64_t)-ENOMEM);
        return;
    }
    put_word(&h->block, count);
    for (uint64_t i = 0; i < count; text += strlen(argv[i++]) + 1)
        put_word(&h->block, h->arguments[1] + text);
    put_word(&h->block, 0);
    put_word(&h->block, 0);
    for (uint64_t i = 0; i < count; h->block.count += strlen(argv[i++]) + 1)
        memcpy(h->block.bytes + h->block.count, argv[i], strlen(argv[i]) + 1);
    fill(h, h->arguments[1], 0);
}

// All words of the arguments that it has are there.
static void call(struct htif *h) {
    const uint64_t *a = h->arguments;
    switch (a[0]) {
    case CALL_EXIT:
        h->exited = true;
        h->code = a[1];
        h->step = HTIF_IDLE;
        break;
    case CALL_WRITE: write_text(h); break;
    case CALL_OPENAT: // the path's length, with its zero, is the third argument
        h->block.count = 0;
        if (a[3] > HOST_PATH) {
            give_result(h, (uint64_t)-ENAMETOOLONG);
        } else {
            go_through(h, HTIF_PATH, a[2], a[3]);
        }
        break;
    case CALL_READ: read_file(h); break;
    case CALL_CLOSE: give_result(h, a[1] < HOST_FIRST_FILE ? 0 : (uint64_t)host_files_close(&h->files, a[1])); break;
    case CALL_LSEEK:
        give_result(h, (uint64_t)host_files_seek(&h->files, roots_of(h), a[1], (int64_t)a[2], a[3]));
        break;
    case CALL_GETMAINVARS: give_arguments(h); break;
    default: h->refused = true; h->step = HTIF_IDLE;
    }
}

static size_t argument_words(const struct htif *h) {
    return h->arguments[0] == CALL_OPENAT ? 5 : 4;
}

static uint64_t first_filled(const struct htif *h) {
    return h->arguments[0] == CALL_GETMAINVARS ? h->arguments[1] : h->arguments[2];
}

// The step goes through that many bytes from there on, and has not done all of them.
static bool is_amid(const struct htif *h, uint64_t memory, uint64_t first, uint64_t bytes) {
    return in_dram(memory, first, bytes) && h->place - first < bytes;
}

bool htif_possible(const struct htif *h, uint64_t memory) {
    const uint64_t *a = h->arguments, words = payload_of(h->command), done = (h->place - words) / 8;
    switch (h->step) {
    case HTIF_ARGUMENTS: return words % 8 == 0 && h->place % 8 == 0 && (done == 0 || done < argument_words(h));
    case HTIF_TEXT: return is_amid(h, memory, a[2], a[3]);
    case HTIF_PATH: return a[3] <= HOST_PATH && is_amid(h, memory, a[2], a[3]) && h->block.count == h->place - a[2];
    case HTIF_FILL: return is_amid(h, memory, first_filled(h), h->block.count);
    default: return true;
    }
}

static void take_argument(struct htif *h, uint64_t word) {
    size_t i = (h->place - payload_of(h->command)) / 8;
    h->arguments[i] = word;
    h->place += 8;
    if (i + 1 == argument_words(h)) call(h);
}

static void take_text(struct htif *h, uint64_t word) {
    uint64_t end = h->arguments[2] + h->arguments[3];
    do
        print(h, (uint8_t)(word >> 8 * (h->place % 8)));
    while (++h->place % 8 && h->place < end);
    if (h->place == end) give_result(h, h->arguments[3]);
}

static void take_path(struct htif *h, uint64_t word) {
    uint64_t end = h->arguments[2] + h->arguments[3];
    do
        h->block.bytes[h->block.count++] = (uint8_t)(word >> 8 * (h->place % 8));
    while (++h->place % 8 && h->place < end);
    if (h->place != end) return;
    bool ended = h->block.bytes[h->block.count - 1] == 0;
    give_result(
        h, (uint64_t)(ended ? host_files_open(&h->files, roots_of(h), (const char *)h->block.bytes, h->arguments[4])
                            : -EINVAL));
}

static void fill_word(struct htif *h, uint64_t *word) {
    uint64_t first = first_filled(h);
    do
        memcpy((uint8_t *)word + h->place % 8, &h->block.bytes[h->place - first], 1);
    while (++h->place % 8 && h->place < first + h->block.count);
    if (h->place == first + h->block.count) give_result(h, h->answer);
}

static void finish(struct htif *h) {
    uint64_t next = h->queued;
    h->step = HTIF_IDLE;
    h->queued = 0;
    begin(h, next);
}

bool htif_access(struct htif *h, uint64_t *word) {
    switch (h->step) {
    case HTIF_ARGUMENTS: take_argument(h, *word); return false;
    case HTIF_TEXT: take_text(h, *word); return false;
    case HTIF_PATH: take_path(h, *word); return false;
    case HTIF_FILL: fill_word(h, word); return true;
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

uint64_t htif_follow(struct htif *h, const uint64_t words[5], const char *path, int64_t result) {
    uint64_t typed = 0;
    if (result < 0) return 0;
    switch (words[0]) {
    case CALL_OPENAT: host_files_follow(&h->files, path); break;
    case CALL_CLOSE: (void)host_files_close(&h->files, words[1]); break;
    case CALL_LSEEK: (void)host_files_seek(&h->files, NULL, words[1], result, SEEK_SET); break;
    case CALL_READ:
        if (words[1] == 0) typed = (uint64_t)result;
        if (words[1] != 0) (void)host_files_seek(&h->files, NULL, words[1], result, SEEK_CUR);
        break;
    default: break;
    }
    h->received += typed;
    return typed;
}

void htif_refusal(const struct htif *h, const char *program, struct error *err) {
    uint64_t c = h->command;
    if (device_of(c) != DEVICE_SYSTEM || command_of(c) != 0) {
        error_set(err,
                  "%s: stored 0x%016llx to tohost: HTIF device %u, command %u is not served: use device 0 (exit, "
                  "system calls) "
                  "and device 1 (console) only",
                  program, (unsigned long long)c, device_of(c), command_of(c));
    } else if (payload_of(c) % 8) {
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
