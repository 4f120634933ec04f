// What a dynamically linked program needs: its loader, and the libraries that it and they name. All must be handed in.
#include "base/paths.h"
#include "guest/guest.h"
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 1024 };

struct search {
    const struct guest_code *code;
    bool *looked;       // into each file
    char missing[TEXT]; // "a, b", each once
};

static void miss(struct search *s, const char *name) {
    size_t length = strlen(name), used = strlen(s->missing);
    for (const char *at = strstr(s->missing, name); at; at = strstr(at + 1, name)) {
        bool starts = at == s->missing || at[-1] == ' ';
        if (starts && (at[length] == '\0' || at[length] == ',')) return;
    }
    snprintf(s->missing + used, sizeof s->missing - used, "%s%s", used ? ", " : "", name);
}

// A library is found by its last name: its folder is the loader's business. The loader is found by its whole path.
static size_t find(const struct guest_code *code, const char *name) {
    for (size_t i = 0; i < code->count; i++) {
        const char *guest = code->files[i].guest;
        if (strcmp(name[0] == '/' ? guest : paths_name(guest), name) == 0) return i;
    }
    return SIZE_MAX;
}

const struct guest_file *guest_find_library(const struct guest_code *code, const char *name) {
    size_t i = find(code, name);
    if (i == SIZE_MAX) i = find(code, paths_name(name)); // as the loader came to it: "./lib/../x.so"
    return i == SIZE_MAX ? NULL : &code->files[i];
}

static void look(struct search *s, const char *path);

static void need(struct search *s, const char *name) {
    size_t i = find(s->code, name);
    if (i == SIZE_MAX) {
        miss(s, name);
    } else if (!s->looked[i]) {
        s->looked[i] = true;
        look(s, s->code->files[i].host);
    }
}

// A file as an ELF; NULL if it is none.
struct opened {
    int fd;
    Elf *elf;
};

static struct opened open_elf(const char *path) {
    struct opened file = {open(path, O_RDONLY | O_CLOEXEC), NULL};
    elf_version(EV_CURRENT);
    file.elf = file.fd >= 0 ? elf_begin(file.fd, ELF_C_READ, NULL) : NULL;
    if (file.elf && elf_kind(file.elf) != ELF_K_ELF) {
        elf_end(file.elf);
        file.elf = NULL;
    }
    return file;
}

static void close_elf(struct opened file) {
    elf_end(file.elf);
    if (file.fd >= 0) close(file.fd);
}

// Calls `see` with each string of the dynamic section that has this tag; how many there are.
static unsigned dynamic_names(Elf *elf, int64_t tag, void (*see)(struct search *, const char *), struct search *s) {
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Dyn entry;
    unsigned count = 0;
    while ((section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
            const char *name = entry.d_tag == tag ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;
            count += name != NULL;
            if (name && see) see(s, name);
        }
    }
    return count;
}

static void look_for_loader(struct search *s, Elf *elf) {
    size_t count, bytes;
    GElf_Phdr header;
    const char *file = elf_rawfile(elf, &bytes);
    if (elf_getphdrnum(elf, &count) != 0 || !file) return;
    for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &header); i++) {
        if (header.p_type != PT_INTERP || header.p_offset > bytes || header.p_filesz > bytes - header.p_offset)
            continue;
        char *loader = strndup(file + header.p_offset, header.p_filesz);
        if (loader) need(s, loader);
        free(loader);
    }
}

static void look(struct search *s, const char *path) {
    struct opened file = open_elf(path);
    if (file.elf) {
        look_for_loader(s, file.elf);
        dynamic_names(file.elf, DT_NEEDED, need, s);
    }
    close_elf(file);
}

bool guest_is_library(const char *path) {
    struct opened file = open_elf(path);
    bool good = !file.elf || dynamic_names(file.elf, DT_SONAME, NULL, NULL) > 0;
    close_elf(file);
    return good;
}

// Whether it leaves this function to others.
static bool wants(const char *path, const char *function) {
    struct opened file = open_elf(path);
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    bool found = false;
    while (file.elf && (section = elf_nextscn(file.elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
            const char *name = elf_strptr(file.elf, header.sh_link, symbol.st_name);
            found = found || (symbol.st_shndx == SHN_UNDEF && name && strcmp(name, function) == 0);
        }
    }
    close_elf(file);
    return found;
}

bool guest_opens_libraries(const struct guest_code *code) {
    bool opens = wants(code->program, "dlopen");
    for (size_t i = 0; i < code->count && !opens; i++)
        opens = wants(code->files[i].host, "dlopen");
    return opens;
}

bool guest_has_libraries(const struct guest_code *code, struct error *err) {
    struct search s = {.code = code, .looked = calloc(code->count + 1, sizeof(bool))};
    if (!s.looked) {
        error_nomem(err, code->program);
        return false;
    }
    look(&s, code->program);
    free(s.looked);
    if (!s.missing[0]) return true;
    error_set(err,
              "%s: dynamically linked, and the guest lacks %s: hand them in (--file HOST:GUEST, libraries to /lib), or "
              "build it with riscv64-linux-gnu-gcc -static",
              code->program, s.missing);
    return false;
}
