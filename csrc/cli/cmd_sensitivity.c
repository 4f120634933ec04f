// tipoff sensitivity: hands over to python/sensitivity, which has changed cores built, and runs this command on each.
#include "cli/cli.h"
#include "cli/python_tool.h"

int cmd_sensitivity(int argc, char **argv) {
    return python_tool("sensitivity", argc, argv);
}
