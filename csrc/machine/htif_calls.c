// System calls of HTIF: arguments, texts and blocks go by a word at a time, and what they ask the host for is done.
#include "base/memory_size.h"
#include "machine/console.h"
#include "machine/htif_internal.h"
#include "memory_map.h"
#include <errno.h>
#include <string.h>

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

// As riscv-pk has it: argc, argv with its NULL, an empty environment, and then the texts.
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

// All words of the arguments that it has are valid.
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
    const uint64_t *a = h->arguments, words = htif_payload(h->command), done = (h->place - words) / 8;
    switch (h->step) {
    case HTIF_ARGUMENTS: return words % 8 == 0 && h->place % 8 == 0 && (done == 0 || done < argument_words(h));
    case HTIF_TEXT: return is_amid(h, memory, a[2], a[3]);
    case HTIF_PATH: return a[3] <= HOST_PATH && is_amid(h, memory, a[2], a[3]) && h->block.count == h->place - a[2];
    case HTIF_FILL: return is_amid(h, memory, first_filled(h), h->block.count);
    default: return true;
    }
}

void htif_take_argument(struct htif *h, uint64_t word) {
    size_t i = (h->place - htif_payload(h->command)) / 8;
    h->arguments[i] = word;
    h->place += 8;
    if (i + 1 == argument_words(h)) call(h);
}

void htif_take_text(struct htif *h, uint64_t word) {
    uint64_t end = h->arguments[2] + h->arguments[3];
    do
        htif_print(h, (uint8_t)(word >> 8 * (h->place % 8)));
    while (++h->place % 8 && h->place < end);
    if (h->place == end) give_result(h, h->arguments[3]);
}

void htif_take_path(struct htif *h, uint64_t word) {
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

void htif_fill_word(struct htif *h, uint64_t *word) {
    uint64_t first = first_filled(h);
    do
        memcpy((uint8_t *)word + h->place % 8, &h->block.bytes[h->place - first], 1);
    while (++h->place % 8 && h->place < first + h->block.count);
    if (h->place == first + h->block.count) give_result(h, h->answer);
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
