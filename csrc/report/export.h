// What exports to other programs' formats are made of: functions, inlined ones included; the lines of each address;
// call stacks; rows in whole cycles; samples in the order of time. Not for other libraries.
#ifndef TIPOFF_REPORT_EXPORT_H
#define TIPOFF_REPORT_EXPORT_H

#include "report/call_tree.h"
#include "report/pair_numbers.h"

#define EXPORT_NO_IMAGE SIZE_MAX

struct export_function {
    const char *name;   // for people, with image and process where there are several: "on_timer [interrupt]"
    const char *symbol; // as the symbol table has it; of an inlined function its name
    const char *file;   // "": not known
};
struct export_line {
    uint32_t function;
    unsigned line; // in the function's file; 0: not known
};
// An address in a frame. Its lines are the function that has the address and those inlined there, innermost first.
struct export_site {
    struct place place, function; // function: unit_of
    size_t image;                 // EXPORT_NO_IMAGE: outside all
    size_t first, count;          // lines; one at least
};
// A call stack by function: the stack of what called the innermost one, or what that is inlined in; and that one.
enum { STACK_PARENT, STACK_FUNCTION };
#define EXPORT_NO_STACK UINT32_MAX // the parent of the outermost

struct export {
    const struct run *data;
    struct call_tree tree; // of addresses: of the calls, and innermost of the time
    struct export_function *functions;
    struct export_line *lines;
    struct export_site *sites;
    struct pair_numbers stacks;
    size_t *frame_sites;    // of each frame of the tree
    uint32_t *frame_stacks; // likewise: with the innermost line of its site
    uint64_t *cycles;       // of each row of the profile: see below
    size_t function_count, line_count, site_count;
    size_t line_capacity, site_capacity, function_capacity;
    struct string_table *function_keys;
};

// Cycles are whole: what the rows up to each have, rounded, less what the rows before it have. So the sum of all is the
// total, and that of rows that follow each other, which those of an instruction and of a function do, is wrong by less
// than one.
// A profile without call stacks has frames without callers. False with err: no memory.
// max_stack: of call_tree_create.
bool export_create(struct export *e, const struct run *d, uint32_t max_stack, struct error *err);
void export_destroy(struct export *e);

// The number of the function that has the site's address.
uint32_t export_outer(const struct export *e, const struct export_site *site);
// The text on one line: what would end it becomes a space.
void export_line(const char *text, FILE *out);

// A sample, as the rows that it adds to.
struct export_share {
    size_t row;
    uint64_t weight; // in 1/U cycle
};
struct export_sample {
    const struct sample_record *record;
    const struct export_share *shares;
    size_t count;
    size_t first; // the row of the first lane that has time
};
// False: no memory.
typedef bool export_take(void *context, const struct export_sample *sample);
// The samples of the profile in the order of time. False with err: no memory.
bool export_samples(const struct export *e, export_take *take, void *context, struct error *err);
// False with err: the profile is not that of samples, so that its time has no order.
bool export_has_times(const struct run *d, const char *what, struct error *err);

// The program's name without its folder, for titles.
const char *export_title(const struct run *d);

#endif
