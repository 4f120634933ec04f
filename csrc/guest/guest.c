// Boots the guest, or takes it from its checkpoint, and leads a program to its first instruction.
#include "guest/guest.h"
#include "csrs.h"
#include "machine/bootrom.h"
#include "machine/memory_node.h"
#include "memory_map.h"
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define BOOT_LIMIT UINT64_C(1000000000)  // instructions: forty times what it takes
#define START_LIMIT UINT64_C(4000000000) // to unpack a full tray

// What makes its kernel.
static const char *target_of(const struct iss *iss) {
    return iss_harts(iss) > 1 ? "make linux-smp" : "make linux";
}

// Runs to this marker of init, or to the end of the run; -EIO: to neither.
static int run_to_marker(struct iss *iss, unsigned marker, uint64_t limit, struct error *err) {
    enum { CHUNK = 1 << 24 };
    iss_watch_markers(iss, true);
    bool reached = false;
    for (uint64_t done = 0; done < limit && !reached && !iss_exited(iss, NULL) && !iss_asks_for_reset(iss);) {
        const uint64_t now = iss_run(iss, CHUNK);
        if (!now) break; // all harts wait forever
        done += now;
        reached = iss_take_marker(iss) == marker;
    }
    iss_watch_markers(iss, false);
    if (reached || iss_exited(iss, NULL)) return 0;
    error_set(err, "the guest has not come to its init: build it again (%s), or watch `tipoff iss` boot it",
              target_of(iss));
    return -EIO;
}

static int unknown_guest(const struct iss *iss, struct error *err, const char *what) {
    error_set(err, "the guest cannot have more memory than usual: %s: build it again (%s)", what, target_of(iss));
    return -EINVAL;
}

// The device tree gives the kernel all memory but the tray.
static int tell_memory(struct iss *iss, struct error *err) {
    const uint64_t tray_end = TRAY_BASE + TRAY_BYTES, end = DRAM_BASE + iss_memory_bytes(iss);
    const struct memory_range ranges[] = {{DRAM_BASE, TRAY_BASE - DRAM_BASE}, {tray_end, end - tray_end}};
    const bool several = iss_harts(iss) > 1; // their tree lies elsewhere: machine/bootrom.h
    const uint64_t at = several ? RESUME_BASE : BOOTROM_BASE + BOOTROM_TREE;
    const size_t bytes = several ? BOOTROM_RESUME_TREE : BOOTROM_BYTES - BOOTROM_TREE;
    uint8_t tree[BOOTROM_RESUME_TREE];
    if (iss_read(iss, at, tree, bytes) && memory_node_set(tree, bytes, ranges, 2) && iss_write(iss, at, tree, bytes))
        return 0;
    return unknown_guest(iss, err, "its boot ROM has no device tree");
}

// The kernel's own command line, which is part of it, says how much memory it uses; it is to use all of it.
static int lift_limit(struct iss *iss, const struct image *image, struct error *err) {
#define TEXT_OF(number) #number
#define LIMIT(number) " mem=" TEXT_OF(number) "M "
    static const char limit[] = LIMIT(TRAY_MEGABYTES);
    enum { LENGTH = sizeof limit - 1 };
    char spaces[LENGTH];
    unsigned found = 0;
    memset(spaces, ' ', sizeof spaces);
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *s = image_segment(image, i);
        const uint8_t *next = s->data, *end = s->data + s->file_bytes;
        while ((next = memmem(next, (size_t)(end - next), limit, LENGTH))) {
            found += iss_write(iss, s->address + (uint64_t)(next - s->data), spaces, LENGTH);
            next += LENGTH;
        }
    }
    return found ? 0 : unknown_guest(iss, err, "the kernel has no limit of it");
}

// More memory than the kernel was built for: one image serves all sizes.
static int widen(struct iss *iss, const struct image *image, struct error *err) {
    if (iss_memory_bytes(iss) == DRAM_BYTES) return 0;
    int result = tell_memory(iss, err);
    return result < 0 ? result : lift_limit(iss, image, err);
}

static int boot(struct iss *iss, const struct image *image, const char *machine, struct checkpoint_origin *origin,
                const struct notices *notices, struct error *err) {
    notice(notices, "%s: boots once; the machine is kept as %s", image_path(image), machine);
    int result = iss_load(iss, image, err);
    if (result == 0) result = widen(iss, image, err);
    if (result == 0) result = run_to_marker(iss, TRAY_MARKER_READY, BOOT_LIMIT, err);
    if (result < 0) return result;
    snprintf(origin->build_id, sizeof origin->build_id, "%s", image_build_id(image));
    struct error kept;
    if (checkpoint_write(iss, origin, machine, &kept) < 0) notice(notices, "%s", kept.text); // once more, then
    return 0;
}

int guest_boot(struct iss *iss, const char *linux_elf, const char *machine, struct checkpoint_origin *origin,
               const struct notices *notices, struct error *err) {
    if (access(linux_elf, R_OK) != 0) {
        error_set(err, "%s: %s: make it with `%s`", linux_elf, strerror(errno), target_of(iss));
        return -ENOENT;
    }
    struct image *image = image_load(linux_elf, err);
    if (!image) return -EINVAL;
    struct error no_matter;
    const uint64_t memory = iss_memory_bytes(iss);
    bool there = access(machine, R_OK) == 0 && checkpoint_read(iss, origin, machine, &no_matter) == 0 &&
                 iss_memory_bytes(iss) == memory && strcmp(origin->build_id, image_build_id(image)) == 0;
    if (!there) *origin = (struct checkpoint_origin){0};
    // The folder may have been elsewhere when the machine was kept.
    snprintf(origin->program, sizeof origin->program, "%s", image_path(image));
    int result = there ? 0 : iss_set_memory(iss, memory, err);
    if (!there && result == 0) result = boot(iss, image, machine, origin, notices, err);
    image_destroy(image);
    return result;
}

uint64_t guest_hart_space(const struct hart *hart) {
    uint64_t satp = 0;
    hart_csr(hart, CSR_SATP, &satp);
    return satp & ((UINT64_C(1) << 44) - 1);
}

uint64_t guest_space(const struct iss *iss) {
    return guest_hart_space(iss_last(iss));
}

// Init's child has executed the marker, and execs: the next instruction in user mode in an address space that is
// neither its nor init's is the program's. With several harts, init goes on beside it, and the exec may end on another
// one.
static int run_to_program(struct iss *iss, uint64_t init, struct error *err) {
    enum { LIMIT = 100 * 1000 * 1000 };
    const uint64_t child = guest_space(iss);
    for (unsigned n = 0; n < LIMIT && !iss_exited(iss, NULL); n++) {
        const struct hart *h = iss_step(iss, NULL);
        if (!h) break;
        const uint64_t space = guest_hart_space(h);
        if (hart_privilege(h) == ISS_PRIVILEGE_U && space != child && space != init) return 0;
    }
    if (iss_exited(iss, NULL)) return 0;
    error_set(err, "the guest has not come to the program: build it again (%s)", target_of(iss));
    return -EIO;
}

int guest_start(struct iss *iss, const struct tray_pack *tray, struct guest_spaces *spaces, struct error *err) {
    size_t bytes;
    spaces->init = guest_space(iss);
    const void *data = tray_data(tray, &bytes);
    if (!iss_write(iss, TRAY_BASE, data, bytes)) {
        error_set(err, "the tray of %zu bytes lies outside memory: build the guest again (%s)", bytes, target_of(iss));
        return -EIO;
    }
    int result = run_to_marker(iss, TRAY_MARKER_START, START_LIMIT, err);
    if (result == 0 && !iss_exited(iss, NULL)) result = run_to_program(iss, spaces->init, err);
    spaces->program = guest_space(iss);
    return result;
}

// ---- programs ----
static bool no_program(const char *path, const char *fault, const char *remedy, struct error *err) {
    error_set(err, "%s: %s: %s", path, fault, remedy);
    return false;
}

bool guest_can_run(FILE *file, const char *path, struct error *err) {
    static const char build[] = "build it with riscv64-linux-gnu-gcc -static";
    Elf64_Ehdr header;
    const size_t bytes = fread(&header, 1, sizeof header, file);
    if (bytes >= 2 && memcmp(&header, "#!", 2) == 0)
        return no_program(path, "a script, and what runs it is not in the guest",
                          "name its interpreter as the program, and hand the script in: --file SCRIPT -- INTERPRETER "
                          "/SCRIPT",
                          err);
    if (bytes != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return no_program(path, "not an ELF file", "name a RISC-V Linux program", err);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_RISCV)
        return no_program(path, "a program of another architecture than 64-bit RISC-V", build, err);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return no_program(path, "not an executable", "link it", err);
    rewind(file);
    return true;
}
