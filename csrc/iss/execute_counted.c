// The loop of execute.c once more, as one that counts executions by place: see counts.c.
#define COUNTING
#define ISS_EXECUTE iss_execute_counted
#include "iss/execute.c" // NOLINT(bugprone-suspicious-include)
