// Waits for input with poll, which every signal ends.
#include "machine/console.h"
#include "base/paths.h"
#include <errno.h>
#include <poll.h>
#include <sys/stat.h>

FILE *console_open(const char *path, struct error *err) {
    struct stat info;
    FILE *in = paths_open(path, err);
    // What poll does not see must not wait in a buffer; of a regular file poll always says that it can be read.
    if (in && (fstat(fileno(in), &info) < 0 || !S_ISREG(info.st_mode))) setvbuf(in, NULL, _IONBF, 0);
    return in;
}

int console_byte(FILE *in) {
    struct pollfd wait = {.fd = in ? fileno(in) : -1, .events = POLLIN};
    if (!in || (wait.fd >= 0 && poll(&wait, 1, -1) < 0 && errno == EINTR)) return EOF;
    return fgetc(in);
}

void console_skip(FILE *in, uint64_t bytes) {
    while (in && bytes-- > 0 && console_byte(in) != EOF) {
    }
}
