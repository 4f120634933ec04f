// The ELF loader: what a good program gives, and each message for a bad one.
#include "base/elf.h"
#include "base/memory_size.h"
#include "memory_map.h"
#include "tests/unit/base/elf_file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static int set_up(void **state) {
    (void)state;
    strcpy(path, "/tmp/test_elf_XXXXXX");
    int fd = mkstemp(path);
    return fd >= 0 ? close(fd) : -1;
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static struct elf_file good(void) {
    static const uint8_t code[] = {1, 2, 3, 4, 5};
    struct elf_file f;
    elf_make(&f, code, sizeof code);
    return f;
}

// The file is refused, and the message is "PATH: " and this text.
static void refused(const void *data, size_t bytes, const char *text) {
    struct error err = {""};
    char expected[512];
    assert_int_equal(elf_write(path, data, bytes), 0);
    assert_null(image_load(path, &err));
    snprintf(expected, sizeof expected, "%s: %s", path, text);
    assert_string_equal(err.text, expected);
    assert_null(strchr(err.text, '\n'));
    assert_null(image_load(path, NULL)); // without a place for the message
}

static void file_refused(const struct elf_file *f, const char *text) {
    refused(f, sizeof *f, text);
}

#define BUILD "build it with tipoff-cc, or for Linux with riscv64-linux-gnu-gcc"

static void test_good(void **state) {
    (void)state;
    struct elf_file f = good();
    struct error err = {""};
    assert_int_equal(elf_write(path, &f, sizeof f), 0);
    struct image *image = image_load(path, &err);
    assert_non_null(image);
    assert_int_equal(elf_write(path, "", 0), 0); // the image is independent of the file
    assert_string_equal(err.text, "");
    assert_string_equal(image_path(image), path);
    assert_string_equal(image_build_id(image), "a0a1a2a3a4a5a6a7");
    assert_int_equal(image_entry(image), ELF_ADDRESS);
    assert_int_equal(image_segment_count(image), 1);
    const struct image_segment *segment = image_segment(image, 0);
    assert_int_equal(segment->address, ELF_ADDRESS);
    assert_int_equal(segment->file_bytes, 5);
    assert_int_equal(segment->bytes, 5 + ELF_BSS);
    assert_memory_equal(segment->data, f.code, 5);
    assert_int_equal(image_symbol(image, "tohost", 7), ELF_TOHOST);
    assert_int_equal(image_symbol(image, "_start", 7), ELF_ADDRESS);
    assert_int_equal(image_symbol(image, "nobody", 7), 7);
    uint64_t value = 7, bytes = 7;
    assert_int_equal(image_find_data(image, "nobody", &value, &bytes, NULL), SYMBOL_UNKNOWN);
    assert_int_equal(value + bytes, 14);
    assert_int_equal(image_find_data(image, "tohost", &value, &bytes, NULL), SYMBOL_FOUND);
    assert_int_equal(value, ELF_TOHOST);
    assert_int_equal(bytes, 8);
    image_destroy(image);
    image_destroy(NULL);
}

static void test_stripped(void **state) {
    (void)state;
    struct elf_file f = good();
    f.header.e_shnum = f.header.e_shstrndx = 0;
    f.header.e_shoff = 0;
    assert_int_equal(elf_write(path, &f, sizeof f), 0);
    struct image *image = image_load(path, NULL);
    assert_non_null(image);
    assert_string_equal(image_build_id(image), "");
    assert_int_equal(image_symbol(image, "tohost", 7), 7);
    image_destroy(image);
}

// The whole of memory, and its last bytes, may be used.
static void test_borders(void **state) {
    (void)state;
    struct elf_file f = good();
    f.programs[1].p_memsz = MEMORY_MOST;
    assert_int_equal(elf_write(path, &f, sizeof f), 0);
    struct image *image = image_load(path, NULL);
    assert_non_null(image);
    image_destroy(image);
    f.programs[1].p_memsz = 5;
    f.programs[1].p_paddr = DRAM_BASE + MEMORY_MOST - 5;
    f.header.e_entry = DRAM_BASE + MEMORY_MOST - 2;
    assert_int_equal(elf_write(path, &f, sizeof f), 0);
    image = image_load(path, NULL);
    assert_non_null(image);
    image_destroy(image);
}

// What a machine of some size has room for; else the size that it needs.
static void test_fits(void **state) {
    (void)state;
    static const struct {
        uint64_t at, bytes, entry;
        const char *needs;
    } cases[] = {{DRAM_BASE, 16 << 20, DRAM_BASE, "16M"},
                 {DRAM_BASE, (16 << 20) + 1, DRAM_BASE, "32M"},
                 {DRAM_BASE + DRAM_BYTES - 5, 5, DRAM_BASE, "256M"},
                 {DRAM_BASE + DRAM_BYTES - 5, 6, DRAM_BASE, "512M"},
                 {DRAM_BASE, 8, DRAM_BASE + 3 * DRAM_BYTES, "1G"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct elf_file f = good();
        struct error err = {""};
        uint64_t needed = 0;
        char text[64];
        f.programs[1].p_paddr = cases[i].at;
        f.programs[1].p_memsz = cases[i].bytes;
        f.header.e_entry = cases[i].entry;
        assert_int_equal(elf_write(path, &f, sizeof f), 0);
        struct image *image = image_load(path, &err);
        assert_non_null(image);
        assert_true(memory_size_parse(cases[i].needs, &needed, NULL));
        for (uint64_t size = MEMORY_LEAST; size <= MEMORY_MOST; size *= 2)
            assert_int_equal(image_fits(image, size, size < needed ? &err : NULL), size >= needed);
        snprintf(text, sizeof text, "run with --memory %s", cases[i].needs);
        if (needed > MEMORY_LEAST && !strstr(err.text, text)) fail_msg("not '%s', but '%s'", text, err.text);
        image_destroy(image);
    }
}

static void test_no_file(void **state) {
    (void)state;
    struct error err = {""};
    assert_null(image_load("/no/such/file.elf", &err));
    assert_string_equal(err.text,
                        "/no/such/file.elf: cannot open: No such file or directory: check the name; `make build` makes "
                        "build/workloads/*.elf");
    assert_null(image_load("/tmp", &err));
    assert_string_equal(err.text, "/tmp: not a file: name a RISC-V program (ELF)");
}

static void test_not_elf(void **state) {
    (void)state;
    static const char text[] = "not an ELF file: name a RISC-V program, such as build/workloads/interp.small.elf";
    refused("", 0, text);
    refused("\177EL", 3, text);
    refused("# a text\n", 9, text);
}

static void test_truncated(void **state) {
    (void)state;
    struct elf_file f = good();
    refused(&f, 4, "truncated: 4 bytes, shorter than an ELF header: copy or build it again");
    refused(&f, 63, "truncated: 63 bytes, shorter than an ELF header: copy or build it again");
    f.header.e_ident[EI_CLASS] = ELFCLASS32;
    refused(&f, 51, "truncated: 51 bytes, shorter than an ELF header: copy or build it again");
    f = good();
    refused(&f, offsetof(struct elf_file, code) + 4,
            "truncated: a segment of 5 bytes at byte 176, the file has 180: copy or build it again");
    f.programs[1].p_offset = UINT64_MAX;
    file_refused(
        &f, "truncated: a segment of 5 bytes at byte 18446744073709551615, the file has 880: copy or build it again");
}

static void test_damaged(void **state) {
    (void)state;
    struct elf_file f = good();
    f.header.e_ident[EI_CLASS] = 3;
    file_refused(&f, "damaged ELF header: copy or build it again");
    f = good();
    f.programs[1].p_filesz = 6;
    f.programs[1].p_memsz = 5;
    file_refused(&f, "damaged: a segment has 0x6 bytes in the file and 0x5 in memory: copy or build it again");
}

static void test_wrong_kind(void **state) {
    (void)state;
    struct elf_file f = good();
    f.header.e_ident[EI_CLASS] = ELFCLASS32;
    file_refused(&f, "wrong class: a 32-bit ELF, the core runs 64-bit programs: " BUILD);
    f = good();
    f.header.e_ident[EI_DATA] = ELFDATA2MSB;
    file_refused(&f, "wrong endianness: a big-endian ELF, the core is little-endian: " BUILD);
    f = good();
    f.header.e_machine = EM_X86_64;
    file_refused(&f, "wrong machine: ELF machine 62, not RISC-V (243): " BUILD);
    f = good();
    f.header.e_type = ET_REL;
    file_refused(&f, "not an executable (ELF type 1): link it, statically and at a fixed address");
    f.header.e_type = ET_DYN;
    file_refused(&f, "not an executable (ELF type 3): link it, statically and at a fixed address");
}

// Static, dynamic and position independent; none of them where memory is, or not at a fixed address.
static void test_linux(void **state) {
    (void)state;
    static const uint32_t marks[] = {PT_INTERP, PT_DYNAMIC, PT_GNU_RELRO};
    char text[512];
    snprintf(text, sizeof text, "a Linux program: run it under Linux, `tipoff linux -- %s`, or build it with tipoff-cc",
             path);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        struct elf_file f = good();
        f.programs[0].p_type = marks[i];
        f.header.e_type = ET_DYN;
        file_refused(&f, text);
        f.header.e_type = ET_EXEC;
        f.header.e_entry = 0x10554;
        file_refused(&f, text);
        f.header.e_entry = ELF_ADDRESS; // in memory: the bare machine runs it, whatever it asks for
        assert_int_equal(elf_write(path, &f, sizeof f), 0);
        struct image *image = image_load(path, NULL);
        assert_non_null(image);
        image_destroy(image);
    }
}

static void test_nothing_to_load(void **state) {
    (void)state;
    struct elf_file f = good();
    f.header.e_phnum = 0;
    file_refused(&f, "nothing to load: no program headers: link it as an executable");
    f = good();
    f.programs[1].p_type = PT_NOTE;
    file_refused(&f, "nothing to load: no loadable segment: link it as an executable");
    f = good();
    f.programs[1].p_filesz = f.programs[1].p_memsz = 0;
    file_refused(&f, "nothing to load: no loadable segment: link it as an executable");
}

static void outside(uint64_t address, uint64_t bytes) {
    struct elf_file f = good();
    char text[256];
    f.programs[1].p_paddr = address;
    f.programs[1].p_memsz = bytes;
    snprintf(
        text, sizeof text,
        "segment outside memory: 0x%llx bytes at 0x%llx; memory is 0x80000000 to 0xffffffff at most: link it there",
        (unsigned long long)bytes, (unsigned long long)address);
    file_refused(&f, text);
}

static void test_outside_memory(void **state) {
    (void)state;
    outside(0x10000, 5);
    outside(0x7fffffff, 5);
    outside(0x1000, 5); // the boot ROM is not the program's
    outside(0xfffffffc, 5);
    outside(0x100000000, 5);
    outside(0x80000000, 0x80000001);
    outside(UINT64_MAX - 2, 5);
    outside(0x80000000, UINT64_MAX);
    struct elf_file f = good();
    f.header.e_entry = 0;
    file_refused(
        &f, "entry outside memory: 0x0; memory is 0x80000000 to 0xffffffff at most: link it there, with ENTRY(_start)");
    f.header.e_entry = 0xffffffff;
    file_refused(&f, "entry outside memory: 0xffffffff; memory is 0x80000000 to 0xffffffff at most: link it there, "
                     "with ENTRY(_start)");
    f.header.e_entry = 0x80000001;
    file_refused(&f, "entry at an odd address: 0x80000001: copy or build it again, with ENTRY(_start)");
}

// Any one damaged byte, and any length: the file is refused with a message, or it loads and can be used.
static void try_damaged(const void *data, size_t bytes) {
    struct error err = {""};
    assert_int_equal(elf_write(path, data, bytes), 0);
    struct image *image = image_load(path, &err);
    assert_int_equal(image == NULL, err.text[0] != '\0');
    if (!image) return;
    uint64_t sum = image_symbol(image, "tohost", 0) + strlen(image_build_id(image));
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        assert_true(segment->file_bytes <= segment->bytes);
        for (size_t j = 0; j < segment->file_bytes; j++)
            sum += segment->data[j];
    }
    assert_true(sum + 1 > 0 || sum == UINT64_MAX);
    image_destroy(image);
}

static void test_any_damage(void **state) {
    (void)state;
    static const uint8_t flips[] = {0x01, 0x80, 0xff};
    struct elf_file f = good();
    for (size_t i = 0; i < sizeof f; i++) {
        if (i >= offsetof(struct elf_file, code) + 8 && i < offsetof(struct elf_file, note)) continue; // unused
        try_damaged(&f, i);
        for (size_t k = 0; k < sizeof flips; k++) {
            ((uint8_t *)&f)[i] ^= flips[k];
            try_damaged(&f, sizeof f);
            ((uint8_t *)&f)[i] ^= flips[k];
        }
    }
}

// ---- digests: of what is loaded ----
static void digest_of(const char *file, char digest[32]) {
    struct error err = {""};
    struct image *image = image_load_symbols(file, &err);
    assert_string_equal(err.text, "");
    assert_non_null(image);
    snprintf(digest, 32, "%s", image_digest(image));
    image_destroy(image);
}

// A made file's: FNV-1a of the numbers and bytes of its one segment, once more here.
static void test_digest_by_hand(void **state) {
    (void)state;
    struct elf_file f = good();
    struct image *image;
    char expected[32], digest[32];
    assert_int_equal(elf_write(path, &f, sizeof f), 0);
    assert_non_null(image = image_load(path, NULL));
    uint8_t bytes[3 * 8 + 5] = {0};
    const uint64_t numbers[] = {f.programs[1].p_vaddr, 5 + ELF_BSS, 5};
    memcpy(bytes, numbers, sizeof numbers); // the host is little-endian, too
    memcpy(bytes + sizeof numbers, f.code, 5);
    unsigned __int128 value = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < sizeof bytes; i++)
        value = (uint64_t)((value ^ bytes[i]) * UINT64_C(1099511628211));
    snprintf(expected, sizeof expected, "%016llx", (unsigned long long)value);
    assert_string_equal(image_digest(image), expected);
    image_destroy(image);
    digest_of(path, digest);
    assert_string_equal(digest, expected);
    f.code[4] ^= 1;
    assert_int_equal(elf_write(path, &f, sizeof f), 0);
    digest_of(path, digest);
    assert_string_not_equal(digest, expected);
    f.code[4] ^= 1;
    f.programs[1].p_memsz++;
    assert_int_equal(elf_write(path, &f, sizeof f), 0);
    digest_of(path, digest);
    assert_string_not_equal(digest, expected);
}

static void shell(const char *command) {
    char text[512];
    snprintf(text, sizeof text, command, path, path, path);
    if (system(text) != 0) fail_msg("%s", text);
}

// A program of Linux has the ELF header, which locates sections, in its first segment. Stripped, it loads the
// same; its debug file loads nothing.
#define LINUX_CC "riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -nostdlib -Wl,-m,elf64lriscv,-e,main -g -x c -"
static void test_digest_of_stripped(void **state) {
    (void)state;
    char whole[32], digest[32], file[80];
    shell("printf 'int main(void) { return 3; }' | " LINUX_CC " -o %s.whole");
    snprintf(file, sizeof file, "%s.whole", path);
    digest_of(file, whole);
    assert_int_equal(strlen(whole), 16);
    shell("riscv64-unknown-elf-strip %s.whole -o %s.part");
    snprintf(file, sizeof file, "%s.part", path);
    digest_of(file, digest);
    assert_string_equal(digest, whole);
    shell("riscv64-unknown-elf-objcopy --only-keep-debug %s.whole %s.part");
    digest_of(file, digest);
    assert_string_equal(digest, "");
    shell("printf 'int main(void) { return 4; }' | " LINUX_CC " -o %s.part");
    digest_of(file, digest);
    assert_string_not_equal(digest, whole);
    shell("rm %s.whole %s.part");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_good, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stripped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_borders, set_up, tear_down),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test_setup_teardown(test_not_elf, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_truncated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_linux, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_to_load, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_outside_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_digest_by_hand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_digest_of_stripped, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
