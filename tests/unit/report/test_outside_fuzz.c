// Files from outside whose sums are right and whose contents are not: sample files, through every view and export, and
// the tables that people write. Each is read as far as it makes sense, or refused in one line. Says something under the
// sanitizers (unit-san) above all. See fuzz.h for how one input is had alone.
#include "cli/mix_source.h"
#include "methods/gus/table.h"
#include "methods/hbbp/attributes.h"
#include "methods/hbbp/rule.h"
#include "methods/profileme/report.h"
#include "profile/collection.h"
#include "profile/snippet.h"
#include "report/formats.h"
#include "report/units.h"
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/time.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "tests/unit/base/fuzz.h"
#include "tests/unit/report/report_test.h"

enum { SECONDS = 20, VERSION = 4, HEADER = 1, STATISTICS = 18, RESULT = 38 };
static struct fuzz fuzz;
static char folder[] = "/tmp/test_outside_fuzz_XXXXXX";
static char elf[REPORT_TEST_PATH], good[REPORT_TEST_PATH], bad[REPORT_TEST_PATH], page[REPORT_TEST_PATH];
static unsigned whole, damaged; // inputs that a report was written of, and others

// ---- a file that has one of everything ----
static const char statistics[] =
    "{\"cycles\": 1000, \"instructions\": 1206, \"executions\": [{\"psv\": 0, \"count\": 950}, {\"psv\": 8, \"count\": "
    "35}], \"base_stalls\": {\"count\": 200, \"cycles\": 520, \"lengths\": [[1, 100], [3, 80]], \"long\": [{\"pc\": "
    "\"0x8000001c\", \"count\": 2, \"cycles\": 80, \"longest\": 40}]}, \"edges\": [{\"from_mode\": 3, \"from_space\": "
    "0, "
    "\"to_mode\": 3, \"to_space\": 0, \"taken\": [\"- 80000000 1\", \"80000008 80000004 399\", \"8000000c 8000001c "
    "1\"]}], "
    "\"refills\": [{\"from_mode\": 3, \"from_space\": 0, \"to_mode\": 3, \"to_space\": 0, \"pairs\": [\"80000008 "
    "80000004 "
    "90 180 270 600\"]}], \"met\": [{\"mode\": 3, \"space\": 0, \"met\": [\"8000001c 40 100\", \"80000008 8 100\"]}], "
    "\"profilers\": {\"tags\": 512}}";

static void add_samples(struct samples_writer *w) {
    for (uint32_t i = 0; i < 6; i++) {
        const struct stack_node node = {i ? STACK_LOST + i : 0, i ? STACK_CALL : STACK_ROOT, i ? 0x8000000c : 0,
                                        i ? 0x8000001c : 0x80000000, MODE_MACHINE};
        assert_int_equal(samples_add_stack(w, &node, NULL), 0);
    }
    for (uint32_t i = 0; i < 40; i++) {
        const struct sample_record r = {.cycle = 10 * (i + 1),
                                        .cycles = 10,
                                        .sample = {.state = i % STATE_COUNT,
                                                   .valid = 1 + 2 * (i & 1),
                                                   .priv = MODE_MACHINE,
                                                   .addr = {0x80000000 + 4 * (i % 9), 0x8000001c},
                                                   .psv = {i & 8, i & 0x40}},
                                        .stack = {2 + i % 6, 2}};
        assert_int_equal(samples_add(w, &r, NULL), 0);
    }
}

static void add_profiles(struct samples_writer *w) {
    struct profile_row rows[20] = {{0}};
    for (uint32_t i = 0; i < 20; i++)
        rows[i] = (struct profile_row){0x80000000 + 2 * i, i % STATE_COUNT, (uint16_t)(1 << i % 9),
                                       1 + 7 * i,          MODE_MACHINE,    2 + i % 6};
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, rows, 20, NULL), 0);
    assert_int_equal(samples_add_profile(w, "IBS", EVENT_SET_IBS, rows, 7, NULL), 0);
}

static void add_instructions(struct samples_writer *w) {
    const struct instruction_settings settings = {.interval = 100, .pairs = true, .window = 2};
    for (uint32_t i = 0; i < 30; i++) {
        const struct instruction_sample s = {.pc = 0x80000000 + 4 * (i / 2),
                                             .cycle = 50 * i,
                                             .mode = MODE_MACHINE,
                                             .pair = true,
                                             .second = i & 1,
                                             .dispatched = true,
                                             .issued = true,
                                             .executed = true,
                                             .dispatch = 3,
                                             .issue = 2,
                                             .total = 9,
                                             .stage = 5,
                                             .kind = 1,
                                             .addressed = true,
                                             .address = 0x80100000 + i,
                                             .events = 1 << i % 9};
        uint64_t words[INSTRUCTION_SAMPLE_WORDS];
        instruction_sample_pack(&s, words);
        assert_int_equal(samples_add_instruction(w, &settings, words, NULL), 0);
    }
}

// As the statistics have them, which files of before have alone.
static bool add_counts(struct results *r) {
    const struct place at = {0x80000008, MODE_MACHINE}, next = {0x8000000c, MODE_MACHINE};
    return results_add_run_totals(r, &(struct run_totals){60, 30, 0, 0}) &&
           results_add_jump(r, &(struct jump){next, at, 9}) && results_add_jump(r, &(struct jump){PLACE_END, at, 1}) &&
           results_add_refill(r, &(struct refill){next, at, 4, 8, 3, 12}) &&
           results_add_flush(r, &(struct flush){at, next, 2, 4, 1, 6}) &&
           results_add_wait(r, &(struct wait){next, at, 5, 20, 1}) &&
           results_add_event_met(r, &(struct event_met){at, 5, 7}) &&
           results_add_execution(r, &(struct execution){5, 7}) &&
           results_add_base_stalls(r, &(struct base_stalls){3, 20}) &&
           results_add_stall_length(r, &(struct stall_length){8, 2}) &&
           results_add_long_stall(r, &(struct long_stall){at, 2, 16, 8}) &&
           results_add_tag_limit(r, &(struct tag_limit){512});
}

static void add_others(struct samples_writer *w) {
    struct results *r = results_create();
    assert_true(r && add_counts(r));
    assert_true(results_add_snippet(r, &(struct snippet){{0x80000008, MODE_MACHINE}, 40, 3, 0, {0, 3}, 1}));
    for (uint32_t i = 0; i < 3; i++)
        assert_true(results_add_snippet_row(
            r, &(struct snippet_row){0x80000004 + 4 * i, 0x13, 0, false, 1, 2, 3, 4, i ? 5 : SNIPPET_NEVER}));
    const struct retired_sample retired[2] = {{10, {0x80000004, 3}, {0x80000008, 3}}, {20, {0x80000008, 3}, PLACE_END}};
    const struct transfer transfers[3] = {
        {0x80000008, 0x80000004, 5}, {0x8000000c, 0x8000001c, 9}, {0x80000022, 0x80000010, 8}};
    assert_true(results_add_collection(r, &(struct collection){100, 101, 3, COLLECTION_UNIT, 200, 303}));
    assert_true(results_add_transfer_stack(r, &(struct transfer_stack){30, 3, {0, 3}}));
    for (unsigned i = 0; i < 2; i++)
        assert_true(results_add_retired_sample(r, &retired[i]));
    for (unsigned i = 0; i < 3; i++)
        assert_true(results_add_transfer(r, &transfers[i]));
    for (uint32_t i = 0; i < 60; i++) {
        assert_true(i % 2 || results_add_route(r, &(struct route){true, {0, 2}}));
        assert_true(results_add_route_step(r, &(struct route_step){0x80000008, i % 2 ? 0x80000004 : 0x8000000c}));
    }
    for (uint32_t i = 0; i < 5; i++) {
        struct lifetime row = {.place = {0x80000000 + 4 * i, MODE_MACHINE}};
        for (uint32_t k = 0; k < LIFETIME_TOTALS; k++)
            row.total[k] = 100 * i + k;
        assert_true(results_add_lifetime(r, &row));
    }
    assert_true(results_add_lost_triggers(r, &(struct lost_triggers){3}));
    assert_int_equal(samples_add_results(w, r, 0, NULL), 0);
    results_destroy(r);
}

static int set_up(void **state) {
    (void)state;
    if (!report_test_begin(folder, elf, good, "")) return -1;
    snprintf(bad, sizeof bad, "%s/bad.tips", folder);
    snprintf(page, sizeof page, "%s/page.html", folder);
    FILE *f = fopen(page, "we");
    if (!f) return -1;
    fputs("<!--tipoff:title--><!--tipoff:text--><!--tipoff:data-->", f);
    fclose(f);
    struct samples_header h = report_test_header(elf);
    h.contexts = true;
    h.vectors = SAMPLES_VECTORS_COMMIT;
    struct samples_writer *w = samples_create(good, &h, NULL);
    if (!w) return -1;
    add_samples(w);
    add_instructions(w);
    add_profiles(w);
    add_others(w);
    return samples_close(w, NULL);
}

static int tear_down(void **state) {
    (void)state;
    return report_test_end(folder);
}

// ---- damage ----
static uint64_t any(uint64_t below) {
    return below ? fuzz_next(&fuzz) % below : 0;
}

// A number at its edges, or any.
static uint64_t number(void) {
    static const uint64_t edges[] = {0,          1,
                                     2,          3,
                                     4,          7,
                                     8,          127,
                                     255,        256,
                                     4095,       4096,
                                     65535,      1 << 24,
                                     1u << 31,   UINT32_MAX,
                                     INT64_MAX,  UINT64_MAX,
                                     0x80000000, 0x80000002,
                                     0x8000001c, UINT64_MAX - 1};
    const uint64_t choice = any(sizeof edges / sizeof *edges + 4);
    return choice < sizeof edges / sizeof *edges ? edges[choice] : fuzz_next(&fuzz) >> any(64);
}

static void damage_bytes(struct fuzz_block *b) {
    const size_t width = (size_t)1 << any(4);
    if (b->data && b->bytes >= width) bytes_put(b->data + any(b->bytes - width + 1), number(), (int)width);
}

// A run of digits or a letter becomes something else.
static void damage_text(struct fuzz_block *b) {
    static const char *const words[] = {
        "-1",   "1e300", "0",       "18446744073709551616", "\"x\"", "null", "[]", "{}", "\"", "1.5",
        "true", "\xff",  "\\u0000", "4294967296",           ",",     "-"};
    size_t at = any(b->bytes), end;
    while (at < b->bytes && any(4) && !isdigit(b->data[at]))
        at++;
    for (end = at; end < b->bytes && isdigit(b->data[end]);)
        end++;
    if (end == at && end < b->bytes) end++;
    const char *word = words[any(sizeof words / sizeof *words)];
    char *made;
    const int size = asprintf(&made, "%.*s%s%s", (int)at, (char *)b->data, word, (char *)b->data + end);
    assert_true(size >= 0);
    free(b->data);
    b->data = (uint8_t *)made;
    b->bytes = (size_t)size;
}

static void swap(struct fuzz_block *a, struct fuzz_block *b) {
    const struct fuzz_block kept = *a;
    *a = *b;
    *b = kept;
}

static void damage_order(struct fuzz_blocks *b) {
    if (b->count < 3) return;
    struct fuzz_block *one = &b->list[1 + any(b->count - 1)], *other = &b->list[1 + any(b->count - 1)];
    switch (any(5)) {
    case 0: fuzz_add(b, one->type, one->data, one->bytes); break;
    case 1: one->type = other->type; break;
    case 2: one->bytes = any(one->bytes + 1); break;
    case 3: one->type = 1000; break; // passed over
    default: swap(one, other);
    }
} // NOLINT(clang-analyzer-unix.Malloc): the list keeps them, in another order

// A file of before: what it says of instructions is in its statistics.
static void make_old(struct fuzz_blocks *b) {
    size_t kept = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].type == RESULT)
            free(b->list[i].data);
        else
            b->list[kept++] = b->list[i];
    }
    if (!kept) abort(); // there is a header at least
    b->count = kept;
    fuzz_add(b, STATISTICS, (const uint8_t *)statistics, sizeof statistics - 1);
}

static void damage(struct fuzz_blocks *b) {
    struct fuzz_block *block = &b->list[any(b->count)];
    if (any(8) == 0) {
        damage_order(b);
    } else if (block->type == HEADER || block->type == STATISTICS) {
        damage_text(block);
    } else {
        damage_bytes(block);
    }
}

// ---- use ----
static void one_line(int result, const struct error *err) {
    if (result < 0 && (!err->text[0] || strchr(err->text, '\n'))) fail_msg("not one line: '%s'", err->text);
    result < 0 ? damaged++ : whole++;
}

static void report(FILE *out) {
    struct report_options o = report_defaults(out, NULL);
    struct error err = {""};
    o.format = report_format_at(any(report_format_count()));
    o.granularity = (enum granularity)any(GRANULARITY_COUNT);
    o.one_table = o.format == report_format_find(false, "folded") ? any(2) : !o.format->whole_stacks && any(3) == 0;
    o.page = page;
    if (any(2)) o.profiler = any(3) ? "Oracle" : "IBS";
    o.max_stack = any(2) ? 2 + (uint32_t)any(3) : 0;
    if (!o.format->write) {
        switch (any(5)) {
        case 0: o.by = unit_kind(any(unit_kind_count())); break;
        case 1: o.stacks = true; break;
        case 2: o.children = true; break;
        case 3: o.pools = 1u << (POOL_NONE + 1 + any(POOL_KINDS - POOL_NONE - 1)); break;
        default: o.annotate = o.format == &format_text ? "leaf" : NULL;
        }
    }
    if (o.by && o.by->plain) o.by = NULL;
    one_line(report_write(bad, &o, out, &err), &err);
}

static void others(FILE *out) {
    const char *const both[] = {any(2) ? good : bad, bad}, *const list[] = {bad};
    struct error err = {""};
    struct report_options o = report_defaults(out, NULL);
    struct profileme_options p = {
        .report = o, .overlap = profileme_overlap(0), .near = 16, .branches = 8, .across = any(2)};
    struct mix_source mix;
    struct mix_source_options from = {.file = bad};
    o.format = report_format_at(any(3)); // tables
    o.granularity = (enum granularity)any(BY_FUNCTION + 1);
    p.view = (enum profileme_view)any(PROFILEME_VIEWS);
    p.format = (enum profileme_format)any(PROFILEME_SVG);
    switch (any(4)) {
    case 0: one_line(report_diff(both, 2, &o, out, &err), &err); break;
    case 1: one_line(report_compare(both, 2, &o, out, &err), &err); break;
    case 2: one_line(profileme_report(list, 1, &p, out, &err), &err); break;
    default: one_line(mix_source_open(&mix, &from, &err) ? 0 : -EINVAL, &err); mix_source_close(&mix);
    }
}

// Of the process's own time: a machine that is busy is no fault. SIGPROF ends it.
static void limit(time_t seconds) {
    const struct itimerval after = {.it_value = {.tv_sec = seconds}};
    assert_int_equal(setitimer(ITIMER_PROF, &after, NULL), 0);
}

static void sample_file(uint64_t number_of) {
    struct fuzz_blocks b = {.count = 0};
    if (fuzz.count > 1 && number_of == fuzz.first && !freopen("/dev/null", "w", stderr)) abort(); // warnings
    fuzz_take(&b, good, "samples", VERSION);
    const bool old = number_of % 3 == 0;
    if (old) make_old(&b);
    for (uint64_t n = 1 + any(6); n > 0; n--)
        damage(&b);
    fuzz_put(&b, bad, "samples", old ? 2 : VERSION);
    fuzz_drop(&b);
    FILE *out = fopen("/dev/null", "we");
    assert_non_null(out);
    limit(SECONDS);
    report(out);
    others(out);
    limit(0);
    fclose(out);
}

// Both sides are met, or this shows nothing.
static void both_met(void) {
    if (fuzz.count >= 100) assert_true(whole > fuzz.count / 10 && damaged > fuzz.count / 10);
}

static void test_sample_files(void **state) {
    (void)state;
    fuzz_run(&fuzz, sample_file, both_met);
}

// The file as it is goes through, or the test is of nothing.
static void test_whole(void **state) {
    (void)state;
    for (size_t f = 0; f < report_format_count(); f++) {
        const struct report_options o = {.format = report_format_at(f), .page = page, .top = 20};
        free(report_test_write(good, &o));
    }
    for (int v = 0; v < PROFILEME_VIEWS; v++) {
        if (v == PROFILEME_CONVERGENCE || v == PROFILEME_PATH_SUCCESS) continue; // want more records
        const char *const list[] = {good};
        struct profileme_options p = {
            .overlap = profileme_overlap(0), .near = 16, .branches = 8, .view = (enum profileme_view)v};
        struct error err = {""};
        FILE *out = fopen("/dev/null", "we");
        if (profileme_report(list, 1, &p, out, &err) != 0) fail_msg("view %d: %s", v, err.text);
        fclose(out);
    }
}

// ---- tables ----
static const char rules[] = "# of the paper\nrule\tnode\tfeature\tat_most\tthen\telse\nx\t0\tlength\t18\t1\tEBS\n"
                            "x\t1\tbias\t0.5\tLBR\t2\nx\t2\tloads\t3\tEBS\tLBR\nother\t0\tlength\t37.5\tLBR\tEBS\n";
static const char taxonomy[] = "# classes\nclass=divide  long latency: division\nclass=fp?divide  long\nadd*  short\n"
                               "sub[uw]  short # and so on\n";
static const char resources[] =
    "rate\tfetch\t1\t-\ta\nevery\tdram\t13\t-\tb\nslots\twindow\t32\t-\tc\nqueue\tint_queue\t12\t-\td\n"
    "pool\tmshrs\t4\t-\te\nunit\twalker\t1\t-\tf\nrate\tint_ports\t2\t-\tf\ndelay\tfront\t4\t-\tg\nsize\tl1i.ways\t2\t-"
    "\th\n"
    "option\tpackets\t1\tfetch,walker\ti\nkind\talu\t1\tint_ports,int_queue\tj\nkind\tmul\t3\tint_ports\tk\n"
    "done\tmul\t4\t-\tl\n";

static size_t damage_table(char *text, size_t bytes, size_t room) {
    static const char odd[] = "\t\n\r#-=*?[],.0129aezx\xff\x1b \x80";
    for (uint64_t n = any(4); n > 0; n--) {
        const size_t at = any(bytes), more = any(30), from = any(bytes - more);
        switch (any(4)) {
        case 0: text[at] = odd[any(sizeof odd)]; break; // its zero, too
        case 1:
            if (bytes + more < room) {
                memmove(text + at + more, text + at, bytes - at);
                memset(text + at, odd[any(sizeof odd - 1)], more);
                bytes += more;
            }
            break;
        case 2: memmove(text + from, text + from + more, bytes - from - more), bytes -= more; break;
        default: memmove(text + at / 2, text + from, more < bytes - at / 2 ? more : 0);
        }
    }
    return bytes;
}

static unsigned taken, refused;

static void table(uint64_t number_of) {
    static const struct {
        const char *text;
        size_t bytes;
    } tables[] = {{rules, sizeof rules - 1}, {taxonomy, sizeof taxonomy - 1}, {resources, sizeof resources - 1}};
    static struct rule rule;
    static struct gus_table gus;
    char text[2048];
    struct error err = {""};
    const uint64_t kind = number_of % 3;
    memcpy(text, tables[kind].text, tables[kind].bytes);
    FILE *f = fopen(bad, "we");
    assert_non_null(f);
    (void)fwrite(text, 1, damage_table(text, tables[kind].bytes, sizeof text), f);
    fclose(f);
    struct taxonomy *t = kind == 1 ? taxonomy_read(bad, &err) : NULL;
    const bool read = kind == 0   ? rule_read(&rule, bad, "x", &err)
                      : kind == 1 ? t != NULL
                                  : gus_table_read(&gus, bad, &err);
    if (kind == 0 && read) (void)rule_chooses_lbr(&rule, (double[HBBP_FEATURES]){3, 1, 100});
    if (kind == 2 && read) (void)gus_table_without(&gus, "all", &err);
    taxonomy_destroy(t);
    if (!read && (strncmp(err.text, bad, strlen(bad)) != 0 || strchr(err.text, '\n')))
        fail_msg("not one line with its file: '%s'", err.text);
    read ? taken++ : refused++;
}

static void tables_met(void) {
    if (fuzz.count >= 100) assert_true(taken > fuzz.count / 10 && refused > fuzz.count / 10);
}

static void test_tables(void **state) {
    (void)state;
    fuzz_run(&fuzz, table, tables_met);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_sample_files),
                                       cmocka_unit_test(test_tables)};
    fuzz = fuzz_arguments(argc, argv, 600);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
