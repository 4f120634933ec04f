// What the host hands to the guest's init: a program with its arguments, environment, files and input, packed as
// scripts/linux/tray.h says.
#ifndef TIPOFF_GUEST_TRAY_H
#define TIPOFF_GUEST_TRAY_H

#include "base/error.h"
#include "scripts/linux/tray.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tray_pack;
struct tray_pack *tray_create(struct error *err); // NULL with err
void tray_destroy(struct tray_pack *t);           // NULL is fine
// One record; data may be NULL with 0 bytes. 0, or -ENOSPC with err: more than the tray holds; or -ENOMEM.
int tray_add(struct tray_pack *t, enum tray_kind kind, const char *name, const void *data, size_t bytes,
             struct error *err);
// The whole rest of a file of the host: `path` is what messages call it. 0, or a negative errno with err.
int tray_add_file(struct tray_pack *t, enum tray_kind kind, const char *name, FILE *file, const char *path,
                  struct error *err);
const void *tray_data(const struct tray_pack *t, size_t *bytes);

#endif
