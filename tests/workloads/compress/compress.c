// Compressor: LZ77 with hash chains, its tokens Huffman-coded (canonical codes), and the decompressor.
// Checked: what comes out is what went in, the code is complete (Kraft's sum is 1), and the text got smaller.
#include "compress.h"

#define TEXT SIZED(600, 7000, 64000)

static uint8_t text[TEXT], unpacked[TEXT];
static uint8_t packed[TEXT + 1024];
static uint16_t token[2 * TEXT + 8];

// A report about nothing: words drawn with a skew, numbers here and there.
static void write_text(void) {
    static const char *const word[] = {"the ",   "core ",   "commits ", "an ",    "instruction ", "and ",
                                       "waits ", "for ",    "memory ",  "when ",  "a ",           "branch ",
                                       "was ",   "wrong, ", "queue ",   "is ",    "full. ",       "cache ",
                                       "line ",  "returns", "\n",       "late; ", "cycle ",       "stall "};
    uint64_t seed = 0x7e47;
    for (size_t n = 0; n < TEXT;) {
        uint64_t r = random_next(&seed) >> 16;
        size_t last = (r & 7) + (r >> 3 & 7) + (r >> 6 & 7) + 3;
        for (const char *p = word[last % 24]; *p && n < TEXT;)
            text[n++] = (uint8_t)*p++;
        if (r % 13 == 0 && n < TEXT) text[n++] = (uint8_t)('0' + (r >> 20) % 10);
    }
}

int main(void) {
    write_text();
    size_t tokens = lz_find(text, TEXT, token);
    size_t bytes = huffman_pack(token, tokens, packed);

    static uint16_t token_back[2 * TEXT + 8];
    size_t tokens_back = huffman_unpack(packed, token_back);
    size_t length = lz_expand(token_back, tokens_back, unpacked, TEXT);
    bool ok = huffman_complete() && length == TEXT && memcmp(text, unpacked, TEXT) == 0 &&
              bytes - SYMBOLS < TEXT / 2; // the lengths take SYMBOLS bytes
    return workload_result(bytes, ok);
}
