// The page of HTML reports as a file: what html/ is bundled to, with content. Not for other libraries.
#ifndef TIPOFF_REPORT_HTML_PAGE_H
#define TIPOFF_REPORT_HTML_PAGE_H

#include "report/report.h"

struct html_content {
    // As text, by options that are plain: 0, or a negative errno with err.
    int (*text)(const void *of, const struct report_options *options, FILE *out, struct error *err);
    // The object of JSON, without a '<' as such. False with err.
    bool (*data)(const void *of, const struct report_options *options, FILE *out, struct error *err);
    const void *of;
};
// 0, or a negative errno with err: also where options->page is missing, or none.
int html_page_write(const char *title, const struct html_content *content, const struct report_options *options,
                    FILE *out, struct error *err);

#endif
