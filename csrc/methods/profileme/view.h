// What the views of ProfileMe's records are made of. Not for other libraries.
#ifndef TIPOFF_METHODS_PROFILEME_VIEW_H
#define TIPOFF_METHODS_PROFILEME_VIEW_H

#include "methods/profileme/convergence.h"
#include "methods/profileme/report.h"
#include "report/contexts.h"
#include "report/run.h"
#include "report/sheet.h"
#include "report/words.h"

enum { PROFILEME_FEW = 10 }; // samples of an instruction: with fewer nothing is claimed of it (33 % deviation and more)
enum { PROFILEME_POINTS = 20 }; // steady points, for a share of them to say anything

struct profileme_page {
    const struct run *data;
    const struct profileme_options *options;
    const struct instruction_sample *records;
    size_t count;
    struct instruction_settings settings;
    const struct profileme_estimates *estimates;
    const struct lifetime *exact; // NULL: the run did not follow all instructions
    size_t exact_count;
    struct sheet *sheet;                // the view's rows, of all files
    FILE *above, *below;                // text only
    FILE *json;                         // JSON only: members before the rows, each followed by a comma
    size_t file, files;                 // this one, of `files`
    struct profileme_convergence *pool; // of retirements and L1 data misses: the points of all files up to this one
};
// A view fills sheet, above and below; draws, where it is asked for SVG, at the last file. 0 or a negative errno with
// err.
typedef int profileme_write(struct profileme_page *page, FILE *out, struct error *err);
profileme_write profileme_instructions, profileme_addresses, profileme_pairs_view, profileme_compare,
    profileme_convergence_view, profileme_records, profileme_paths, profileme_path_success;

// Columns and cells that say which instruction it is: address, instruction, function, source.
void profileme_code_columns(struct sheet *s);
void profileme_code(const struct profileme_page *page, struct place place);
// ... without address, mode and space; and cells of what is no instruction.
void profileme_name_columns(struct sheet *s);
void profileme_name(const struct profileme_page *page, struct place place);
void profileme_no_name(struct sheet *s);
const char *profileme_outcome(unsigned outcome); // as a record has it: "retired", "misprediction", ...
// "12.3 %": cells of a part, in per cent; nothing of fewer than one.
void profileme_per_cent(struct sheet *s, double part);
bool profileme_needs_exact(const struct profileme_page *page,
                           struct error *err); // false with err: there are no exact totals

#endif
