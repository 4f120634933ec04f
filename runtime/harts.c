// What makes the C library one for several harts: tipoff-cc links it into programs that have tipoff_hart_main, and into
// no others, which stay as they are to the byte.
//
// One lock for all, which a hart may take again: the library's hooks for malloc, files and exit; each call that prints,
// so that its text stays together; and the calls of the host.
#include "harts.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/lock.h>

static uintptr_t owner; // the hart's thread pointer; 0: free
static unsigned depth;  // the owner's

static uintptr_t me(void) {
    uintptr_t tp;
    __asm__("mv %0, tp" : "=r"(tp));
    return tp;
}

static int try_lock(void) {
    uintptr_t before = 0;
    if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != me() &&
        !__atomic_compare_exchange_n(&owner, &before, me(), 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return 0;
    depth++;
    return 1;
}

void harts_lock(void) {
    while (!try_lock())
        ;
}

void harts_unlock(void) {
    if (--depth == 0) __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
}

void harts_lock_at_end(void) {
    enum { PATIENCE = 1000000 };
    for (unsigned i = 0; i < PATIENCE; i++)
        if (try_lock()) return;
    __atomic_store_n(&owner, me(), __ATOMIC_RELAXED);
}

// ---- the library's hooks (sys/lock.h): of whatever lock, it is the one ----
struct __lock {
    char unused;
};
struct __lock __lock___libc_recursive_mutex;

void __retarget_lock_init(_LOCK_T *lock) {
    *lock = &__lock___libc_recursive_mutex;
}
void __retarget_lock_init_recursive(_LOCK_T *lock) {
    *lock = &__lock___libc_recursive_mutex;
}
void __retarget_lock_close(_LOCK_T lock) {
    (void)lock;
}
void __retarget_lock_close_recursive(_LOCK_T lock) {
    (void)lock;
}
void __retarget_lock_acquire(_LOCK_T lock) {
    (void)lock;
    harts_lock();
}
void __retarget_lock_acquire_recursive(_LOCK_T lock) {
    (void)lock;
    harts_lock();
}
int __retarget_lock_try_acquire(_LOCK_T lock) {
    (void)lock;
    return try_lock();
}
int __retarget_lock_try_acquire_recursive(_LOCK_T lock) {
    (void)lock;
    return try_lock();
}
void __retarget_lock_release(_LOCK_T lock) {
    (void)lock;
    harts_unlock();
}
void __retarget_lock_release_recursive(_LOCK_T lock) {
    (void)lock;
    harts_unlock();
}

// ---- calls that print (tipoff-cc: --wrap): printf, vprintf and fprintf are vfprintf ----
int __real_vfprintf(FILE *file, const char *format, va_list rest);
int __real_puts(const char *text);
int __real_fputs(const char *text, FILE *file);
size_t __real_fwrite(const void *bytes, size_t size, size_t count, FILE *file);

int __wrap_vfprintf(FILE *file, const char *format, va_list rest) {
    harts_lock();
    const int printed = __real_vfprintf(file, format, rest);
    harts_unlock();
    return printed;
}
int __wrap_puts(const char *text) {
    harts_lock();
    const int result = __real_puts(text);
    harts_unlock();
    return result;
}
int __wrap_fputs(const char *text, FILE *file) {
    harts_lock();
    const int result = __real_fputs(text, file);
    harts_unlock();
    return result;
}
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    harts_lock();
    const size_t written = __real_fwrite(bytes, size, count, file);
    harts_unlock();
    return written;
}
