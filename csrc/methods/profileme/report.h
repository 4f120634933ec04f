// What ProfileMe's records say of a run (csrc/methods/profileme): docs/guide/profileme-software.md.
#ifndef TIPOFF_METHODS_PROFILEME_REPORT_H
#define TIPOFF_METHODS_PROFILEME_REPORT_H

#include "methods/profileme/pairs.h"
#include "report/report.h"

enum profileme_view {
    PROFILEME_INSTRUCTIONS,
    PROFILEME_ADDRESSES,
    PROFILEME_PAIRS,
    PROFILEME_COMPARE,
    PROFILEME_CONVERGENCE,
    PROFILEME_RECORDS,
    PROFILEME_PATHS,
    PROFILEME_PATH_SUCCESS,
    PROFILEME_VIEWS
};
enum profileme_format { PROFILEME_TEXT, PROFILEME_CSV, PROFILEME_JSON, PROFILEME_SVG, PROFILEME_FORMATS };
#define PROFILEME_FORMAT_NAMES "text", "csv", "json", "svg"

struct profileme_options {
    struct report_options report; // the program and where it is; top: rows, 0 for all
    enum profileme_view view;
    enum profileme_format format;
    const struct profileme_overlap *overlap; // of the view of pairs
    unsigned slots;                          // issue slots in a cycle; 0: the width of the core
    unsigned near;                           // cycles around a retirement
    unsigned branches;                       // of a path
    bool across;                             // paths go on across procedures
};
// 0, or a negative errno with err (one line: file, fault, remedy).
// Several files: of the view of convergence only, whose points are pooled.
int profileme_report(const char *const *paths, size_t count, const struct profileme_options *options, FILE *out,
                     struct error *err);

#endif
