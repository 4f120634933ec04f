// Fills the tray, from files of the host.
#include "cli/linux_tray.h"
#include "base/paths.h"
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static int add_file(struct tray_pack *t, enum tray_kind kind, const char *host, const char *guest, struct error *err) {
    char name[PATH_MAX + 2];
    snprintf(name, sizeof name, "%s%s", guest[0] == '/' ? "" : "/", guest);
    FILE *file = paths_open(host, err);
    if (!file) return -ENOENT;
    bool good = kind != TRAY_PROGRAM || guest_can_run(file, host, err);
    int result = good ? tray_add_file(t, kind, name, file, host, err) : -EINVAL;
    fclose(file);
    return result;
}

void linux_tray_file(const char *text, struct guest_file *file) {
    char base[PATH_MAX];
    const char *colon = strchr(text, ':');
    snprintf(file->host, sizeof file->host, "%.*s", colon ? (int)(colon - text) : INT_MAX, text);
    snprintf(base, sizeof base, "%s", file->host);
    const char *guest = colon ? colon + 1 : basename(base);
    snprintf(file->guest, sizeof file->guest, "%s%s", guest[0] == '/' ? "" : "/", guest);
}

static int add_files(const struct guest_code *code, struct tray_pack *t, struct error *err) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < code->count; i++)
        result = add_file(t, TRAY_FILE, code->files[i].host, code->files[i].guest, err);
    return result == 0 && !guest_has_libraries(code, err) ? -EINVAL : result;
}

int linux_tray_pack(const struct linux_options *a, const struct guest_code *code, struct tray_pack *t,
                    struct error *err) {
    static const char *const standard[] = {"PATH=/", "HOME=/"};
    char program[PATH_MAX];
    snprintf(program, sizeof program, "%s", a->program[0]);
    int result = add_file(t, TRAY_PROGRAM, a->program[0], basename(program), err);
    if (result == 0) result = add_files(code, t, err);
    for (char **arg = a->program; result == 0 && *arg; arg++)
        result = tray_add(t, TRAY_ARGUMENT, *arg, NULL, 0, err);
    for (int i = 0; result == 0 && i < 2; i++)
        result = tray_add(t, TRAY_VARIABLE, standard[i], NULL, 0, err);
    for (int i = 0; result == 0 && i < a->env_count; i++)
        result = tray_add(t, TRAY_VARIABLE, a->env[i], NULL, 0, err);
    if (result == 0 && !isatty(STDIN_FILENO)) result = tray_add_file(t, TRAY_INPUT, "stdin", stdin, "stdin", err);
    return result;
}
