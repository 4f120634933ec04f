// Names of C++ as tables for people show them.
#ifndef TIPOFF_REPORT_SHORT_NAME_H
#define TIPOFF_REPORT_SHORT_NAME_H

#include <stdbool.h>
#include <stddef.h>

// "std::_Rb_tree<...>::find(...)": what stands between < and > of templates is left out, and, of a name that is still
// longer than 44 letters, what stands between ( and ). Operators stay ("operator<<"), as does a name whose < and > do
// not match, and one without any. False: name stays as it is; out (size bytes, more than `name` has) has nothing.
bool short_name(const char *name, char *out, size_t size);

#endif
