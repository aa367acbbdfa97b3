// Names of functions for reports. The dynamic linker knows exported ones only, so the symbol table of the file is read
// too, and Swift's names are spelled as in the sources by the runtime's own function.

#include "core.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { NAME_SIZE = 160 };

typedef struct {
  const char *bytes;
  size_t size;
} vt_file;

// By bare system calls: the functions of the same names schedule threads.
static vt_file map_file(const char *path) {
  vt_file file = {NULL, 0};
  long fd = vt_raw(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (fd < 0) return file;
  long size = vt_raw(SYS_lseek, fd, 0, 2, 0, 0, 0);
  if (size > 0) {
    void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, (int)fd, 0);
    if (bytes != MAP_FAILED) file = (vt_file){bytes, (size_t)size};
  }
  vt_raw(SYS_close, fd, 0, 0, 0, 0, 0);
  return file;
}

/// A range of a file, or NULL where it is not all there.
static const void *range(const vt_file *file, uint64_t offset, uint64_t size) {
  return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

/// Finds the function that holds an address of the file's own, in its table of local symbols.
static int find_local(const vt_file *file, uint64_t address, char *name, uint64_t *start) {
  const ElfW(Ehdr) *header = range(file, 0, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  const ElfW(Shdr) *sections = range(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
  if (!sections) return 0;
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *names = &sections[sections[i].sh_link];
    const ElfW(Sym) *symbols = range(file, sections[i].sh_offset, sections[i].sh_size);
    const char *strings = range(file, names->sh_offset, names->sh_size);
    if (!symbols || !strings || names->sh_size == 0 || strings[names->sh_size - 1] != 0) return 0;
    for (uint64_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
      const ElfW(Sym) *symbol = &symbols[k];
      if ((symbol->st_info & 15) != STT_FUNC || symbol->st_name >= names->sh_size) continue;
      if (address < symbol->st_value || address >= symbol->st_value + symbol->st_size) continue;
      snprintf(name, NAME_SIZE, "%s", strings + symbol->st_name);
      *start = symbol->st_value;
      return 1;
    }
  }
  return 0;
}

/// Spells a Swift name as in the sources.
static void demangle(char *name) {
  typedef char *demangle_function(const char *, size_t, char *, size_t *, uint32_t);
  demangle_function *function = (demangle_function *)dlsym(RTLD_DEFAULT, "swift_demangle");
  if (!function || name[0] != '$') return;
  char *spelled = function(name, strlen(name), NULL, NULL, 0);
  if (!spelled) return;
  snprintf(name, NAME_SIZE, "%s", spelled);
  free(spelled);
}

static void describe_call(void *call, char *text, size_t size, size_t *length) {
  Dl_info info;
  if (!dladdr(call, &info) || !info.dli_fname) {
    vt_append(text, size, length, "    %p\n", call);
    return;
  }
  char name[NAME_SIZE];
  uint64_t base = (uint64_t)(uintptr_t)info.dli_fbase, address = (uint64_t)(uintptr_t)call, start = 0;
  if (info.dli_sname) {
    snprintf(name, sizeof name, "%s", info.dli_sname);
    start = (uint64_t)(uintptr_t)info.dli_saddr - base;
  } else {
    // The program itself has its first argument as its name, which need not be a path.
    vt_file file = map_file(strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe");
    // An executable that is not position-independent has absolute addresses.
    const ElfW(Ehdr) *header = file.bytes ? range(&file, 0, sizeof *header) : NULL;
    if (header && header->e_type == ET_EXEC) base = 0;
    int is_found = header && find_local(&file, address - base, name, &start);
    if (file.bytes) munmap((void *)(uintptr_t)file.bytes, file.size);
    if (!is_found) name[0] = 0;
  }
  demangle(name);
  const char *module = strrchr(info.dli_fname, '/');
  module = module ? module + 1 : info.dli_fname;
  if (name[0])
    vt_append(text, size, length, "    %s + %llu (%s)\n", name, (unsigned long long)(address - base - start), module);
  else vt_append(text, size, length, "    %s + 0x%llx\n", module, (unsigned long long)(address - base));
}

size_t vt_describe_calls(void *const *calls, int count, char *text, size_t size) {
  size_t length = 0;
  Dl_info own, info;
  int has_own = dladdr((void *)vt_describe_calls, &own);
  for (int i = 0; i < count; i++) {
    // This library's own calls say nothing about the program.
    if (has_own && dladdr(calls[i], &info) && info.dli_fbase == own.dli_fbase) continue;
    describe_call(calls[i], text, size, &length);
  }
  return length;
}
