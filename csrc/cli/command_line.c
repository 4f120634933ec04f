// Command lines: see command_line.h.
#include "cli/command_line.h"
#include "base/memory_size.h"
#include "cli/cli.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_USAGE = 0x10000 }; // above those of the commands

// As it is, or in single quotes. Where they stand in it, they end, stand escaped, and begin again.
void command_line_word(FILE *out, const char *word) {
    if (*word &&
        strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%") == strlen(word)) {
        fprintf(out, " %s", word);
        return;
    }
    fputs(" '", out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[2]){*word}, out);
    fputc('\'', out);
}

// The command line, so that it can be pasted into a shell: with the path of this program.
void command_line(int argc, char **argv, char *out, size_t size) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n < 0 ? 0 : n] = '\0';
    FILE *text = fmemopen(out, size, "w");
    if (!text) return;
    command_line_word(text, n < 0 ? "tipoff" : path);
    for (int i = 0; i < argc; i++)
        command_line_word(text, argv[i]);
    fclose(text);
    out[size - 1] = '\0';
    memmove(out, out + 1, strlen(out)); // the blank in front
}

// ---- help, which argp itself has under -? alone ----
struct asked {
    const struct argp_child command[2];
    void *input;
};

static error_t parse_help(int key, char *arg, struct argp_state *state) {
    const struct asked *asked = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = asked->input; break;
    case '?':
    case 'h': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); break;
    case OPT_USAGE: argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// Without argp's paragraph on short options, which is longer than many commands' lists.
static char *without_note(int key, const char *text, void *input) {
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

void parse_command(const struct argp *argp, const char *name, int argc, char **argv, void *input) {
    static const struct argp_option options[] = {{"help", 'h', NULL, 0, "show this list", -1},
                                                 {NULL, '?', NULL, OPTION_ALIAS, NULL, -1},
                                                 {"usage", OPT_USAGE, NULL, 0, "show the options alone", -1},
                                                 {0}};
    struct asked asked = {{{argp, 0, NULL, 0}, {0}}, input};
    const struct argp root = {
        .options = options, .parser = parse_help, .children = asked.command, .help_filter = without_note};
    char called[32], *const former = argv[0];
    snprintf(called, sizeof called, "tipoff %s", name);
    argv[0] = called; // what --help and errors call it
    argp_err_exit_status = STATUS_BAD_INPUT;
    argp_parse(&root, argc, argv, ARGP_NO_HELP, NULL, &asked);
    argv[0] = former;
}

unsigned option_choice(const char *text, const char *const *names, unsigned count, const char *option,
                       struct argp_state *state) {
    char list[128] = "";
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0) return i;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    argp_error(state, "--%s %s: use one of %s", option, text, list);
    return 0;
}

uint32_t max_stack_argument(const char *text, struct argp_state *state) {
    const uint32_t frames = (uint32_t)option_number(text, 0, UINT32_MAX, "max-stack", state);
    if (frames == 1) argp_error(state, "--max-stack 1: give at least 2, or 0 for all");
    return frames;
}

bool program_argument(struct argp_state *state, char *const **argv) {
    if (!*argv) { // argp has put the options before it
        *argv = state->argv + state->next - 1;
        return true;
    }
    if (!state->quoted)
        argp_error(state, "one program only: unexpected argument '%s': the program's own arguments follow --",
                   state->argv[state->next - 1]);
    return false;
}

uint64_t option_number(const char *text, uint64_t low, uint64_t high, const char *option, struct argp_state *state) {
    char *end;
    errno = 0;
    const bool hex = strncasecmp(text, "0x", 2) == 0; // and nothing is octal
    unsigned long long value = strtoull(text, &end, hex ? 16 : 10);
    if (errno || end == text || *end || text[0] == '-' || value < low || value > high) {
        argp_error(state, "--%s %s: not a number from %llu to %llu", option, text, (unsigned long long)low,
                   (unsigned long long)high);
    }
    return value;
}

uint64_t memory_argument(const char *text, struct argp_state *state) {
    uint64_t bytes = 0;
    struct error why;
    if (!memory_size_parse(text, &bytes, &why)) argp_error(state, "--memory %s", why.text);
    return bytes;
}

void file_root_argument(struct host_roots *roots, const char *folder, struct argp_state *state) {
    struct stat status;
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
        argp_error(state, "--file-root %s: not a folder", folder);
    if (roots->count == HOST_ROOTS) argp_error(state, "--file-root: give at most %d", HOST_ROOTS);
    roots->folders[roots->count++] = folder;
}

void quantum_argument(uint64_t quantum, unsigned harts, const char *restore, struct argp_state *state) {
    if (!quantum) return;
    if (restore) argp_error(state, "--quantum: the checkpoint determines it; omit one of the two");
    if (!restore && harts < 2) argp_error(state, "--quantum: needs --harts of 2 or more");
}
