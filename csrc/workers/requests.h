// What a command line asks of workers: NAME[:KEY=VALUE,...], any number of times. on=no takes one out that would run
// without being named. Faults that do not depend on the program are reported here, before anything is touched.
#ifndef TIPOFF_WORKERS_REQUESTS_H
#define TIPOFF_WORKERS_REQUESTS_H

#include "workers/worker.h"

struct worker_request {
    const struct worker_ops *ops;
    bool off;
    struct worker_value values[WORKER_KEYS]; // by position of the key; where none is given, its standard
    const char *former;                      // the former name that the request used; NULL: it used the name of today
    char *text;
};

struct worker_requests;                               // a list, in the order of the command line
struct worker_requests *worker_requests_create(void); // NULL: no memory
void worker_requests_destroy(struct worker_requests *r);
// The text is copied. -EINVAL with err: one line with the remedy.
int worker_requests_parse(struct worker_requests *r, const char *text, struct error *err);
// The same from its parts, values NULL left out; they must live as long as the list. For options that are short forms.
int worker_requests_add(struct worker_requests *r, const char *name, const char *file, const char *from, const char *to,
                        struct error *err);
// The same list, but for its files: `name` makes each one's new name, of `size` bytes at most. NULL: no memory.
struct worker_requests *worker_requests_renamed(const struct worker_requests *r,
                                                void (*name)(char *out, size_t size, const char *path, unsigned number),
                                                unsigned number);
size_t worker_requests_count(const struct worker_requests *r);
const struct worker_request *worker_requests_at(const struct worker_requests *r, size_t i);
// What the request of that worker has for a key, its standard where it does not name it. NULL: nobody asks for the
// worker, or it is taken out.
const struct worker_value *worker_requests_value(const struct worker_requests *r, const char *worker, const char *key);
// The i-th file that a worker will write, over all requests; NULL: there are no more.
const char *worker_requests_file(const struct worker_requests *r, size_t i);
// Values of a request that names nothing: every key's standard.
void worker_standard_values(const struct worker_ops *ops, struct worker_value *values);

#endif
