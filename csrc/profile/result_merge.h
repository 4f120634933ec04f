// Results of several harts, regions or runs as those of one, by the merge rules of tables/results.tsv.
#ifndef TIPOFF_PROFILE_RESULT_MERGE_H
#define TIPOFF_PROFILE_RESULT_MERGE_H

#include "base/error.h"
#include "profile/result_store.h"

// Adds the results of `from` to those of `to`. Rows of scalars, vectors and tables with the same keys become one, field
// by field; rows of lists follow on the present ones. A result whose fields have no rule (none) and differ is not
// one: `to` does not know it, and never will again. False with err: no memory, or a sum that its field cannot hold;
// `to` is of no use then.
bool results_merge(struct results *to, const struct results *from, struct error *err);

enum result_merged {
    RESULT_MERGED,
    RESULT_APART,     // no rule, and other values
    RESULT_TOO_LARGE, // the sum
};
// One field of two rows, into `row`.
enum result_merged result_merge_field(const struct result_field *field, void *row, const void *other);

#endif
