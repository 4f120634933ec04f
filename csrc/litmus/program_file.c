// The program as an ELF file without a name, which is what machines load.
#include "litmus/program.h"
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool write_all(int fd, const void *from, size_t bytes) {
    const char *p = from;
    while (bytes) {
        const ssize_t n = write(fd, p, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

int litmus_program_file(const struct litmus_program *p, const char *path, struct error *err) {
    struct {
        Elf64_Ehdr file;
        Elf64_Phdr segment;
    } head = {.file = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                       .e_type = ET_EXEC,
                       .e_machine = EM_RISCV,
                       .e_version = EV_CURRENT,
                       .e_entry = litmus_program_base,
                       .e_phoff = sizeof head.file,
                       .e_ehsize = sizeof head.file,
                       .e_phentsize = sizeof head.segment,
                       .e_phnum = 1},
              .segment = {.p_type = PT_LOAD,
                          .p_flags = PF_R | PF_W | PF_X,
                          .p_offset = sizeof head,
                          .p_vaddr = litmus_program_base,
                          .p_paddr = litmus_program_base,
                          .p_filesz = p->bytes,
                          .p_memsz = p->bytes,
                          .p_align = 1}};
    const int fd = memfd_create("litmus", MFD_CLOEXEC);
    if (fd >= 0 && write_all(fd, &head, sizeof head) && write_all(fd, p->memory, p->bytes)) return fd;
    error_set(err, "%s: no memory for a file of %zu bytes: %s: give fewer --iterations", path, p->bytes,
              strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
}
