// The actions of `tipoff regions`: argv[0] is the action's name. Each returns the process's exit status.
#ifndef TIPOFF_CLI_REGIONS_H
#define TIPOFF_CLI_REGIONS_H

int regions_find(int argc, char **argv);
int regions_import(int argc, char **argv);
int regions_live(int argc, char **argv);
int regions_run_action(int argc, char **argv);
int regions_study(int argc, char **argv);
int regions_table(int argc, char **argv);
int regions_validate(int argc, char **argv);

#endif
