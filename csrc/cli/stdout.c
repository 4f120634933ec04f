// What a command says: lines on stderr; and at its end, has stdout taken everything?
#include "base/output.h"
#include "cli/cli.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool reader_is_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

static void show(void *context, const char *line) {
    (void)context;
    fprintf(stderr, "tipoff: %s\n", line);
}

const struct notices cli_notices = {.show = show};

void cli_warn_damage(const struct error *damage) {
    if (damage->text[0]) warning(&cli_notices, "%s; what is before it is good", damage->text);
}

bool stdout_written(struct error *err) {
    errno = 0;
    bool failed = fflush(stdout) != 0;
    int code = failed ? errno : 0;
    if (!failed && !ferror(stdout)) return true;
    if (code == EPIPE || reader_is_gone()) return true;
    if (!code) code = output_reason(stdout);
    error_set(err, "stdout: cannot write%s%s: %s and try again", code ? ": " : "", code ? strerror(code) : "",
              code == EBADF ? "open it" : "free some space");
    return false;
}
