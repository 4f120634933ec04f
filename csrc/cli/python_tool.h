// Commands that are Python: they read TOML, start processes and add up their results, for which Python's library is
// enough, and simulate nothing themselves.
#ifndef TIPOFF_CLI_PYTHON_TOOL_H
#define TIPOFF_CLI_PYTHON_TOOL_H

// Becomes python/NAME with these arguments, and the folder of what is built as --build. Returns only where it cannot:
// STATUS_BAD_INPUT, with a line on stderr that says why.
int python_tool(const char *name, int argc, char **argv);

#endif
