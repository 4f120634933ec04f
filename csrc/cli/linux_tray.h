// What `tipoff linux` hands to the guest: the program, its files, arguments, variables and standard input.
#ifndef TIPOFF_CLI_LINUX_TRAY_H
#define TIPOFF_CLI_LINUX_TRAY_H

#include "cli/linux_options.h"
#include "guest/guest.h"

void linux_tray_file(const char *text, struct guest_file *file); // of HOST[:GUEST]
// 0, or negative errno with err.
int linux_tray_pack(const struct linux_options *a, const struct guest_code *code, struct tray_pack *t,
                    struct error *err);

#endif
