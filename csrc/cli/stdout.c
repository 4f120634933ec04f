// How a command begins; what it says, lines on stderr; and at its end, has stdout taken everything?
#include "base/output.h"
#include "cli/cli.h"
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

// Files that are opened later must not get the numbers of standard streams that are closed. Writing to one of those
// fails all the same: it is open for reading.
static void open_standard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) != fd) abort();
    }
}

// What --help and lists print may not get through either.
static void check_stdout(int status, void *unused) {
    struct error err;
    (void)unused;
    if (status != EXIT_SUCCESS || stdout_written(&err)) return;
    fprintf(stderr, "tipoff: %s\n", err.text);
    _exit(STATUS_OUTPUT);
}

void cli_start(void) {
    setlocale(LC_CTYPE, ""); // that alone: numbers keep their decimal point
    open_standard_streams();
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an output like any other that cannot be written
    on_exit(check_stdout, NULL);
}
