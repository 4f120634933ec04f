// A path in words, for tables. Not for other libraries.
#ifndef TIPOFF_METHODS_PROFILEME_PATH_TEXT_H
#define TIPOFF_METHODS_PROFILEME_PATH_TEXT_H

#include "methods/profileme/path_search.h"
#include "methods/profileme/view.h"

struct path_walk {
    const struct program *program;
    const struct path_graph *graph; // of the program
    uint64_t bias;                  // of its addresses
    struct place place;             // where it leads to
    const struct path_step *steps;  // the last one first
    uint32_t count;
};
// "main 90+ 93- -> eval 12+": functions, and lines of branches that were taken (+) or not (-); calls ->, returns <-,
// and other jumps ~> only where they lead to another function.
void path_text_way(const struct profileme_page *page, const struct path_walk *w, FILE *out);
// "0x80000000>0x80000010 ...": the same for programs, every transfer of control.
void path_text_steps(const struct path_walk *w, FILE *out);

#endif
