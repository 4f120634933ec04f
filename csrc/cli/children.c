// Starts processes, waits for whichever ends first, and shows how far they are: children.h.
#include "cli/children.h"
#include "base/array.h"
#include "base/signals.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK = 500 }; // milliseconds between two looks at signals and the clock

struct running {
    size_t which;
    pid_t process;
    int handle, said; // pidfd; what it says
};
struct pool {
    struct children *c;
    struct running *running;
    struct pollfd *polls;
    unsigned count;
    size_t next, done;
    double started, worked; // seconds; work of those that are done
    bool terminal, handed_on;
    const struct signals_before *before;
    sigset_t mask; // of this process
};

void child_word(struct child *c, const char *format, ...) {
    va_list list;
    char *word;
    va_start(list, format);
    const int length = vasprintf(&word, format, list);
    va_end(list);
    if (length < 0 || !array_reserve_all(&c->argv, &c->capacity, c->words + 2, sizeof(char *))) {
        if (length >= 0) free(word);
        c->no_memory = true;
        return;
    }
    c->argv[c->words++] = word;
    c->argv[c->words] = NULL;
}

void children_free(struct child *list, size_t count) {
    for (size_t i = 0; list && i < count; i++) {
        for (size_t k = 0; k < list[i].words; k++)
            free(list[i].argv[k]);
        free(list[i].argv);
    }
    free(list);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The new process, which ends with this one. A signal that comes before it is another program ends it, too.
static void become(const struct pool *p, char **argv, int said) {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    signals_restore(p->before);
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(said, 2) < 0) _exit(126);
    execv("/proc/self/exe", argv);
    _exit(127);
}

static bool start(struct pool *p) {
    struct running *const r = &p->running[p->count];
    *r = (struct running){.which = p->next, .handle = -1, .said = memfd_create("said", MFD_CLOEXEC)};
    const pid_t parent = getpid();
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &p->mask);
    r->process = r->said < 0 ? -1 : fork();
    if (r->process == 0) {
        if (getppid() != parent) _exit(126);
        become(p, p->c->list[r->which].argv, r->said);
    }
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    if (r->process > 0) r->handle = (int)syscall(SYS_pidfd_open, r->process, 0);
    if (r->process > 0 && r->handle < 0) kill(r->process, SIGTERM);
    if (r->handle < 0) {
        if (r->process > 0) waitpid(r->process, NULL, 0);
        if (r->said >= 0) close(r->said);
        return false;
    }
    p->polls[p->count++] = (struct pollfd){.fd = r->handle, .events = POLLIN};
    p->next++;
    return true;
}

// Its last line, or, of bad usage, its first one: a hint follows that.
static void take_said(int said, char *out, size_t size) {
    static const char usage[] = "tipoff run: ", fault[] = "tipoff: ";
    char text[4096];
    ssize_t got = pread(said, text, sizeof text - 1, 0);
    const off_t end = lseek(said, 0, SEEK_END);
    text[got > 0 ? got : 0] = '\0';
    if (strncmp(text, usage, strlen(usage)) == 0) {
        snprintf(out, size, "%.*s", (int)strcspn(text + strlen(usage), "\n"), text + strlen(usage));
        return;
    }
    if (end > (off_t)sizeof text - 1) got = pread(said, text, sizeof text - 1, end - (off_t)sizeof text + 1);
    while (got > 0 && text[got - 1] == '\n')
        got--;
    text[got > 0 ? got : 0] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    snprintf(out, size, "%s", strncmp(line, fault, strlen(fault)) == 0 ? line + strlen(fault) : line);
}

static void reap(struct pool *p, unsigned i) {
    const struct running r = p->running[i];
    struct child *const child = &p->c->list[r.which];
    int status = 0;
    while (waitpid(r.process, &status, 0) < 0 && errno == EINTR)
        ;
    child->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    take_said(r.said, child->said, sizeof child->said);
    close(r.handle);
    close(r.said);
    p->running[i] = p->running[--p->count];
    p->polls[i] = p->polls[p->count];
    p->done++;
    p->worked += child->work;
}

static void clear(const struct pool *p) {
    if (p->terminal) fprintf(stderr, "\r%60s\r", "");
}

// By the work that is done so far.
static void show(const struct pool *p) {
    double all = 0;
    if (!p->terminal) return;
    for (size_t i = 0; i < p->c->count; i++)
        all += p->c->list[i].work;
    const size_t before = p->c->before;
    fprintf(stderr, "\r%zu of %zu %s, %u running", before + p->done, before + p->c->count, p->c->what, p->count);
    if (p->worked > 0) {
        const unsigned left = (unsigned)((now() - p->started) * (all / p->worked - 1) + 0.5);
        fprintf(stderr, ", %u:%02u:%02u left ", left / 3600, left / 60 % 60, left % 60);
    }
}

static void hand_on(struct pool *p) {
    for (unsigned i = 0; !p->handed_on && i < p->count; i++)
        kill(p->running[i].process, SIGTERM);
    p->handed_on = true;
}

// False: nothing more is to be started.
static bool look(struct pool *p) {
    bool more = true;
    poll(p->polls, p->count, LOOK);
    for (unsigned i = p->count; i-- > 0;) {
        const size_t which = p->running[i].which;
        if (!(p->polls[i].revents & POLLIN)) continue;
        reap(p, i);
        if (p->c->ended && !p->c->ended(p->c->context, which)) more = false;
    }
    show(p);
    return more;
}

static bool run_all(struct pool *p, const volatile sig_atomic_t *came) {
    bool more = true, good = true;
    while (p->count || (more && good && !*came && p->next < p->c->count)) {
        while (more && good && !*came && p->count < p->c->jobs && p->next < p->c->count)
            good = start(p);
        if (*came || !good) hand_on(p);
        if (p->count && !look(p)) more = false;
    }
    return good;
}

int children_run(struct children *c, struct error *err) {
    struct pool p = {.c = c, .started = now(), .terminal = !c->quiet && isatty(STDERR_FILENO)};
    struct signals_before before;
    p.before = &before;
    p.running = calloc(c->jobs, sizeof *p.running);
    p.polls = calloc(c->jobs, sizeof *p.polls);
    bool good = p.running && p.polls;
    for (size_t i = 0; i < c->count; i++) {
        c->list[i].status = -1;
        good = good && !c->list[i].no_memory;
    }
    const volatile sig_atomic_t *const came = signals_note(&before);
    good = good && run_all(&p, came);
    const int number = *came;
    signals_restore(&before);
    clear(&p);
    free(p.running);
    free(p.polls);
    if (!good) error_set(err, "%s: a process could not be started: try --jobs 1", c->what);
    return number ? number : good ? 0 : -1;
}
