// The tray: the part of DRAM above the kernel's memory, in which the host hands a program to the guest. Shared by the
// host (csrc/guest) and the guest's init.
//
// Layout, little-endian, from TRAY_BASE: struct tray, then records, each a struct tray_record, its name with a closing
// zero, and its data, all padded to 8 bytes.
#ifndef TIPOFF_SCRIPTS_LINUX_TRAY_H
#define TIPOFF_SCRIPTS_LINUX_TRAY_H

#include <stdint.h>

#define TRAY_MEGABYTES 190 // are the kernel's (its command line says mem=), from where it lies, 2 MiB into DRAM; the tray is what lies above
#define TRAY_BASE UINT64_C(0x8c000000)
#define TRAY_BYTES UINT64_C(0x4000000)
#define TRAY_MAGIC UINT64_C(0x5941525466706974) // "tipfTRAY"

// Marker instructions, which the ISS finds: slti x0, x0, N, a hint that the unprivileged manual leaves to us.
#define TRAY_MARKER_READY 1 // init waits for a program
#define TRAY_MARKER_START 2 // the next program in user mode is the host's

enum tray_kind { TRAY_PROGRAM = 1, TRAY_ARGUMENT, TRAY_VARIABLE, TRAY_FILE, TRAY_INPUT }; // program: its file
struct tray {
    uint64_t magic, records;
};
struct tray_record {
    uint32_t kind, name_bytes; // with the closing zero
    uint64_t data_bytes;
};

#endif
