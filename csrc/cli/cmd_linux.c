// tipoff linux: run a Linux program under Linux, on a core or on the ISS.
//
// The machine is led to the program's first instruction on the ISS. With --iss it goes on there; else that state
// becomes a checkpoint, and `tipoff run --restore` does all the rest, with its own options. --perf: python/linux_perf
// does it several times, for perf in the guest.
#include "base/memory_size.h"
#include "base/signals.h"
#include "base/unnamed.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "cli/linux_killed.h"
#include "cli/linux_options.h"
#include "cli/linux_tray.h"
#include "cli/python_tool.h"
#include "cli/run_harts.h"
#include "guest/guest.h"
#include "harness/machine_config.h"
#include "machine/finisher.h"
#include "machine/harts.h"
#include "machine/htif.h"
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- running it ----
static volatile sig_atomic_t interrupted;
static void on_signal(int number) {
    interrupted = number;
}

// What was handed in, and where the program begins.
struct start {
    struct guest_code code;
    struct guest_spaces spaces;
    char elf[PATH_MAX + 32];             // linux.elf
    int file;                            // for the machine at that place; it has no name
    char machine[32], kept_as[PATH_MAX]; // how it is opened; its name once it has one
    uint64_t note;                       // where a signal has killed it, as init leaves it: an address of its file
};

static int run_on_iss(const struct linux_options *a, struct iss *iss, uint64_t *note, struct error *err) {
    enum { CHUNK = 1 << 20 };
    struct signals_before before;
    signals_catch(on_signal, true, &before);
    uint64_t code, left = a->most ? a->most : UINT64_MAX;
    uint64_t now = 1; // 0: nothing wakes any hart
    for (; now && !iss_exited(iss, &code) && !iss_asks_for_reset(iss) && !interrupted && left; left -= now)
        now = iss_run(iss, left < CHUNK ? left : CHUNK);
    signals_restore(&before);
    if (iss_exited(iss, &code)) {
        *note = iss_finisher_note(iss);
        return htif_status(code);
    }
    if (interrupted) return 128 + interrupted;
    if (!left) return STATUS_OUT_OF_BUDGET;
    if (now) {
        error_set(err, "%s: " FINISHER_RESET_TEXT, a->program[0]);
    } else {
        error_set(err, "%s: all harts wait for an interrupt (wfi), and none will come", a->program[0]);
    }
    return STATUS_NO_PROGRESS;
}

// `named`: what messages say that the machine is in.
static int run_on_core(const struct linux_options *a, const char *named, struct run_for *way) {
    char **argv = calloc((size_t)a->run_count + 5, sizeof *argv);
    static char name[] = "run", restore[] = "--restore";
    char harts[sizeof "--harts=16"];
    if (!argv) return STATUS_BAD_INPUT;
    argv[0] = name;
    memcpy(argv + 1, a->run, (size_t)a->run_count * sizeof *argv);
    argv[a->run_count + 1] = restore;
    argv[a->run_count + 2] = (char *)named;
    snprintf(harts, sizeof harts, "--harts=%u", (unsigned)a->harts);
    if (a->harts > 1) argv[a->run_count + 3] = harts;
    int status = run_as(a->run_count + 3 + (a->harts > 1), argv, way);
    free(argv);
    return status;
}

// The libraries of a program with a loader are not mapped yet: a copy of the machine goes ahead to where they are.
static int describe_libraries(struct iss *iss, const struct start *start, struct checkpoint_origin *origin,
                              struct error *err) {
    uint64_t loader;
    if (!guest_auxiliary(iss, AT_BASE, &loader) || !loader) return 0;
    int result = checkpoint_write_into(iss, origin, start->machine, err);
    if (result < 0) return result;
    struct iss *ahead = iss_create_harts(iss_harts(iss), err);
    result = ahead ? checkpoint_read(ahead, NULL, start->machine, err) : -ENOMEM;
    if (result == 0) guest_describe_libraries(ahead, &start->spaces, &start->code, &origin->images, &cli_notices);
    iss_destroy(ahead);
    return result;
}

// Whether the program and its children can execute nothing else.
static bool is_alone(const struct guest_code *code) {
    bool alone = true;
    for (size_t i = 0; i < code->count && alone; i++)
        alone = guest_is_library(code->files[i].host);
    return alone;
}

static int describe(struct iss *iss, const struct start *start, struct checkpoint_origin *origin, struct error *err) {
    int result = guest_describe(iss, &start->spaces, &start->code, start->elf, &origin->images, err);
    if (result == 0) result = describe_libraries(iss, start, origin, err);
    if (result == 0 && is_alone(&start->code)) guest_describe_children(&start->spaces, &origin->images);
    return result;
}

// What the message of a check that failed says to run again needs the machine.
static void keep(const struct start *start) {
    int result = unnamed_keep(start->file, start->kept_as);
    if (result == 0) {
        fprintf(stderr, "tipoff: the machine at the program's first instruction stays in %s\n", start->kept_as);
    } else {
        fprintf(stderr, "tipoff: %s: cannot create: %s: no machine at the program's first instruction\n",
                start->kept_as, strerror(-result));
    }
}

// The machine at the program's first instruction, in a file: the one that was asked for, or one for a core.
static int hand_over(const struct linux_options *a, struct iss *iss, struct start *start,
                     struct checkpoint_origin *origin, struct error *err) {
    if (describe(iss, start, origin, err) < 0) return STATUS_BAD_INPUT;
    if (a->checkpoint) return checkpoint_write(iss, origin, a->checkpoint, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
    if (checkpoint_write_into(iss, origin, start->machine, err) < 0) return STATUS_OUTPUT;
    struct run_for way = {.typed = a->typed, .machine = start->machine, .samples = true, .program = a->program[0]};
    int status = run_on_core(a, start->kept_as, &way);
    start->note = way.note;
    if (way.difference) keep(start);
    return status;
}

static int hand_over_in_file(const struct linux_options *a, struct iss *iss, struct start *start,
                             struct checkpoint_origin *origin, struct error *err) {
    unnamed_choose(start->kept_as, sizeof start->kept_as, "tipoff-linux", ".machine");
    start->file = unnamed_open(start->machine, sizeof start->machine, err);
    if (start->file < 0) return STATUS_OUTPUT;
    int status = hand_over(a, iss, start, origin, err);
    close(start->file);
    return status;
}

// Makes the hart what the core's is, and names the booted machine of such harts.
static bool choose_hart(const struct linux_options *a, const char *folder, struct iss *iss, char *machine, size_t size,
                        struct error *err) {
    struct machine_config core = {.fp = 1, .pmp_entries = 8};
    const char *config = NULL, *model = NULL;
    char path[PATH_MAX + 64];
    for (int i = 0; i < a->run_count; i++) {
        const char *value = linux_option_value("--config", a->run, &i, a->run_count);
        if (value) config = value;
        const char *other = value ? NULL : linux_option_value("--model", a->run, &i, a->run_count);
        if (other) model = other;
    }
    if (!config) config = configurations_of(model);
    snprintf(path, sizeof path, "%s/%s/gen/config.json", folder, config);
    if (!a->iss && (configurations_check(folder, config, err) < 0 || machine_config_load(&core, path, err) < 0))
        return false;
    if (!core.fp) {
        error_set(err, "%s: a core without floating point, which Linux programs need: choose another --config", config);
        return false;
    }
    if (!a->iss && a->harts > 1 && !run_harts_coherent(&core, err)) return false;
    iss_set_pmp_entries(iss, core.pmp_entries);
    iss_set_ad_update(iss, core.ad_update);
    char memory[MEMORY_SIZE_TEXT + 1] = "", harts[sizeof "-harts16"] = "";
    if (a->memory && a->memory != DRAM_BYTES) {
        memory[0] = '-';
        memory_size_text(a->memory, memory + 1);
    }
    if (iss_harts(iss) > 1) {
        snprintf(harts, sizeof harts, "-harts%u", iss_harts(iss));
        iss_set_quantum(iss, GUEST_QUANTUM);
    }
    snprintf(machine, size, "%s/linux%s/linux-pmp%u-ad%u%s%s.machine", folder, iss_harts(iss) > 1 ? "/smp" : "",
             core.pmp_entries, core.ad_update, harts, memory);
    return iss_set_memory(iss, a->memory, err) == 0;
}

// What is run.
struct job {
    const struct linux_options *arguments;
    const struct tray_pack *tray;
    struct start *start;
    char folder[PATH_MAX];
};

// To the program's first instruction; out, error: where it prints. A status, with err; EXIT_SUCCESS.
static int bring_up(const struct job *job, struct iss *iss, FILE *out, FILE *error, struct checkpoint_origin *origin,
                    struct error *err) {
    char booted[PATH_MAX + 64];
    if (!choose_hart(job->arguments, job->folder, iss, booted, sizeof booted, err)) return STATUS_BAD_INPUT;
    if (guest_boot(iss, job->start->elf, booted, origin, &cli_notices, err) < 0) return STATUS_BAD_INPUT;
    iss_set_console(iss, out, NULL);
    iss_set_second_console(iss, error);
    return guest_start(iss, job->tray, &job->start->spaces, err) < 0 ? STATUS_NO_PROGRESS : EXIT_SUCCESS;
}

static struct iss *create(const struct linux_options *a, struct error *err) {
    return iss_create_harts(a->harts ? (unsigned)a->harts : 1, err);
}

static struct iss *again(void *context) {
    struct error no_matter;
    struct checkpoint_origin origin;
    const struct job *job = context;
    struct iss *iss = create(job->arguments, &no_matter);
    if (!iss || bring_up(context, iss, NULL, NULL, &origin, &no_matter) == EXIT_SUCCESS) return iss;
    iss_destroy(iss);
    return NULL;
}

static int run(struct job *job, struct iss *iss, struct error *err) {
    const struct linux_options *a = job->arguments;
    struct start *start = job->start;
    struct checkpoint_origin origin;
    if (!folder_find(job->folder, sizeof job->folder, err)) return STATUS_BAD_INPUT;
    snprintf(start->elf, sizeof start->elf, "%s/linux%s/linux.elf", job->folder, iss_harts(iss) > 1 ? "/smp" : "");
    int status = bring_up(job, iss, stdout, stderr, &origin, err);
    uint64_t code;
    if (status != EXIT_SUCCESS) return status;
    if (iss_exited(iss, &code)) return htif_status(code);
    const bool on_iss = a->iss && !a->checkpoint;
    status = on_iss ? run_on_iss(a, iss, &start->note, err) : hand_over_in_file(a, iss, start, &origin, err);
    linux_killed_print(a->program[0], start->note, status, again, job);
    return status;
}

int cmd_linux(int argc, char **argv) {
    struct error err = {""};
    if (linux_options_perf(&argc, argv)) return python_tool("linux_perf", argc, argv);
    char **run_options = calloc((size_t)argc + 1, sizeof *run_options);
    char typed[2048];
    struct linux_options a = {.run = run_options, .typed = typed};
    command_line(argc, argv, typed, sizeof typed);
    int status = STATUS_BAD_INPUT;
    const char *const asked = linux_asks_for_help(argv + 1);
    if (asked) linux_print_help(asked);
    if (run_options && linux_options_parse(argc, argv, &a)) {
        signal(SIGPIPE, SIG_IGN);
        struct guest_file files[LINUX_FILES];
        struct start start = {.code = {a.program[0], files, (size_t)a.file_count}};
        for (int i = 0; i < a.file_count; i++)
            linux_tray_file(a.files[i], &files[i]);
        struct tray_pack *tray = tray_create(&err);
        struct iss *iss = tray && linux_tray_pack(&a, &start.code, tray, &err) == 0 ? create(&a, &err) : NULL;
        struct job job = {.arguments = &a, .tray = tray, .start = &start};
        if (iss) status = run(&job, iss, &err);
        iss_destroy(iss);
        tray_destroy(tray);
        if (iss && !stdout_written(&err)) status = STATUS_OUTPUT;
    }
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    free(run_options);
    return status;
}
