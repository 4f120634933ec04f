// tipoff sweep: hands over to python/sweep, which runs this command many times.
#include "cli/cli.h"
#include "cli/python_tool.h"

int cmd_sweep(int argc, char **argv) {
    return python_tool("sweep", argc, argv);
}
