// The commands of tipoff: argv[0] is the command's name. Each returns the process's exit status (design/4 section 7).
#ifndef TIPOFF_CLI_CLI_H
#define TIPOFF_CLI_CLI_H

int cmd_run(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_samples(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_iss(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_workloads(int argc, char **argv);

#endif
