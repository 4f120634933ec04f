// The flow of control of a whole program, backward: from which instructions control can come to an instruction, and how
// (ProfileMe, MICRO 1997, section 5.3: paths are found by walking backward from a sampled instruction).
//
// Targets of branches, direct jumps and direct calls are in the code. Those of indirect ones are the ones that were
// seen. A return goes to after every call of its function: of one whose function it ends, or of one that goes on there
// by a jump (a tail call).
#ifndef TIPOFF_METHODS_PROFILEME_PATH_GRAPH_H
#define TIPOFF_METHODS_PROFILEME_PATH_GRAPH_H

#include "analysis/analysis.h"

enum path_kind {
    PATH_FALL,   // goes on after an instruction that is no transfer of control
    PATH_BRANCH, // conditional: taken or not
    PATH_JUMP,
    PATH_CALL,
    PATH_RETURN // after a call
};
struct path_edge {
    uint32_t from, to; // numbers of instructions; from: the one that transfers control
    enum path_kind kind;
    bool taken;     // of a branch
    uint64_t count; // executions, of path_graph_count ...
    double weight;  // ... and the logarithm of their part of all that lead there; -INFINITY: none
};
struct path_transfer { // that was seen: numbers of instructions
    uint32_t from, to;
};

struct path_graph;
// list: instructions by address, as program_instructions has them (block is not looked at); it must outlive the graph.
// seen: executed transfers, in any order; those of indirect jumps, calls and returns count. NULL: no memory.
struct path_graph *path_graph_create(const struct program_instruction *list, size_t count,
                                     const struct path_transfer *seen, size_t seen_count);
void path_graph_destroy(struct path_graph *g); // NULL is fine
// How often control went from one instruction to the other; falls: to the next one in memory.
typedef uint64_t path_count(void *context, uint32_t from, uint32_t to, bool falls);
void path_graph_count(struct path_graph *g, path_count *count, void *context);

// The instruction at which control last came from more than one place, or not from the one before it in memory: up to
// here from there nothing but a sequence leads. It may be the instruction itself.
uint32_t path_graph_lead(const struct path_graph *g, uint32_t instruction);
uint32_t path_graph_length(const struct path_graph *g, uint32_t lead); // instructions up to the next one
const struct path_edge *path_graph_into(const struct path_graph *g, uint32_t lead,
                                        size_t *count); // by count, then from
uint32_t path_graph_function(const struct path_graph *g, uint32_t instruction);
// How a path goes on from one instruction to the other, which comes next.
enum path_kind path_graph_kind(const struct path_graph *g, uint32_t from, uint32_t to);
// Whether the edge leaves the procedure, seen backward: by a call of it, or from another one.
bool path_graph_enters(const struct path_graph *g, uint32_t from, uint32_t to);
size_t path_graph_size(const struct path_graph *g); // instructions

#endif
