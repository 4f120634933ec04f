// Which libraries a dynamically linked program has, and where its loader puts them.
//
// The machine is run ahead on the ISS to the program's own entry: by then the loader has mapped all that the program
// names, and keeps a list of it for debuggers (r_debug in <link.h>), as every C library does. Addresses are the same
// each time, on the ISS and on a core: the kernel gets norandmaps. What the program opens itself (dlopen) joins the
// list later, at a place that the list names (r_brk), so that a program which can do so is watched for longer.
#include "csrs.h"
#include "guest/guest.h"
#include <elf.h>
#include <string.h>

enum { ENTRY_LIMIT = 400 * 1000 * 1000, OPEN_LIMIT = 200 * 1000 * 1000, MOST_OBJECTS = 1000 };

// struct r_debug and struct link_map of 64 bits, as they lie in the guest.
struct debug_record {
    uint64_t version, map, breakpoint;
};
struct map_record {
    uint64_t bias, name, dynamic, next;
};

static bool load(struct iss *iss, uint64_t address, void *data, size_t bytes) {
    struct hart *h = iss_last(iss);
    for (uint8_t *at = data; bytes > 0; at++, address++, bytes--) { // any byte may be another page's
        uint64_t physical;
        if (!hart_load_address(h, address, &physical) || !iss_read(iss, physical, at, 1)) return false;
    }
    return true;
}

static bool load_text(struct iss *iss, uint64_t address, char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (!load(iss, address + i, &text[i], 1)) return false;
        if (text[i] == '\0') return true;
    }
    return false;
}

// An entry of the auxiliary vector, which lies above argument count, arguments and environment on the program's stack.
bool guest_auxiliary(struct iss *iss, uint64_t type, uint64_t *value) {
    enum { SP = 2, MOST = 100000 };
    uint64_t at = hart_x(iss_last(iss), SP) + 8, word;
    for (int ends = 0, n = 0; ends < 2; at += 8, n++) {
        if (n == MOST || !load(iss, at, &word, sizeof word)) return false;
        ends += word == 0;
    }
    for (; load(iss, at, &word, sizeof word) && word != AT_NULL; at += 16) {
        if (word == type) return load(iss, at + 8, value, sizeof *value);
    }
    return false;
}

// Runs until the process is about to execute this instruction, or *left are done.
static bool run_to(struct iss *iss, uint64_t space, uint64_t pc, unsigned *left) {
    for (; *left && !iss_exited(iss, NULL) && !iss_asks_for_reset(iss); (*left)--) {
        const struct hart *h = iss_step(iss, NULL);
        if (!h) break; // all harts wait forever
        if (hart_pc(h) == pc && hart_privilege(h) == ISS_PRIVILEGE_U && guest_hart_space(h) == space) return true;
    }
    return false;
}

// The loader's record, by DT_DEBUG of the program's dynamic section, which its program headers name.
static bool find_record(struct iss *iss, uint64_t headers, uint64_t count, struct debug_record *record) {
    Elf64_Phdr header;
    Elf64_Dyn entry;
    uint64_t bias = 0, dynamic = 0;
    for (uint64_t i = 0; i < count && load(iss, headers + i * sizeof header, &header, sizeof header); i++) {
        if (header.p_type == PT_PHDR) bias = headers - header.p_vaddr;
        if (header.p_type == PT_DYNAMIC) dynamic = header.p_vaddr;
    }
    for (dynamic += bias; load(iss, dynamic, &entry, sizeof entry) && entry.d_tag != DT_NULL; dynamic += sizeof entry) {
        if (entry.d_tag == DT_DEBUG) return entry.d_un.d_ptr && load(iss, entry.d_un.d_ptr, record, sizeof *record);
    }
    return false;
}

static void walk(struct iss *iss, uint64_t map, guest_mapped *see, void *context) {
    struct map_record record;
    for (int n = 0; map && n < MOST_OBJECTS && load(iss, map, &record, sizeof record); n++, map = record.next) {
        char name[4096];
        if (n && load_text(iss, record.name, name, sizeof name))
            see(context, name, record.bias); // the first is the program
    }
}

void guest_look_ahead(struct iss *iss, const struct guest_spaces *spaces, bool opens, guest_mapped *see,
                      void *context) {
    uint64_t entry, headers, count;
    unsigned to_entry = ENTRY_LIMIT, on = opens ? OPEN_LIMIT : 0;
    struct debug_record record;
    if (!guest_auxiliary(iss, AT_ENTRY, &entry) || !guest_auxiliary(iss, AT_PHDR, &headers) ||
        !guest_auxiliary(iss, AT_PHNUM, &count))
        return;
    if (!run_to(iss, spaces->program, entry, &to_entry) || !find_record(iss, headers, count, &record)) return;
    walk(iss, record.map, see, context);
    while (run_to(iss, spaces->program, record.breakpoint, &on))
        walk(iss, record.map, see, context);
}
