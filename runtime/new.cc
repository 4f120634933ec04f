// What C++ needs without its library: new, delete, and the name of what no class has.
#include <stddef.h>
#include <stdlib.h>

void *operator new(size_t bytes) {
    void *place = malloc(bytes ? bytes : 1);
    if (!place) abort();
    return place;
}
void *operator new[](size_t bytes) {
    return operator new(bytes);
}
void operator delete(void *place) noexcept {
    free(place);
}
void operator delete[](void *place) noexcept {
    free(place);
}
void operator delete(void *place, size_t) noexcept {
    free(place);
}
void operator delete[](void *place, size_t) noexcept {
    free(place);
}
extern "C" {
void *__dso_handle;
void __cxa_pure_virtual(void) {
    abort();
}
}
