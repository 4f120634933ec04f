// Text in XML and HTML documents. Not for other libraries.
#ifndef TIPOFF_REPORT_XML_TEXT_H
#define TIPOFF_REPORT_XML_TEXT_H

#include <stdio.h>

// The text with its markup escaped. What XML cannot hold becomes U+FFFD: control characters but tab and line end, and
// bytes that are no UTF-8.
void xml_text(FILE *out, const char *text);
// ... cut to `columns` columns of a monospaced font, the last two of them ".." where something is cut off. Nothing
// where fewer than 3 columns are left for a text that is longer.
void xml_text_fitted(FILE *out, const char *text, size_t columns);

#endif
