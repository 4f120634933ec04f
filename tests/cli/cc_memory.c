// Takes a block of N MiB from the heap, writes its ends and every 16th MiB, and reads them back: 0; 3: there is no
// such block; 4: there is a second one, too. By sbrk, for malloc clears what it gives; "malloc" after the number: by that.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef BYTES
static volatile char array[BYTES];
#endif

int main(int count, char **arguments) {
    const size_t mib = 1 << 20, bytes = strtoul(arguments[1], NULL, 10) * mib, step = 16 * mib;
    void *const none = count > 2 ? NULL : (void *)-1;
    volatile char *block = count > 2 ? malloc(bytes) : sbrk(bytes);
    if (block == none) return 3;
#ifdef BYTES
    array[0] = array[BYTES - 1] = 1;
#endif
    for (size_t i = 0; i < bytes; i += step)
        block[i] = (char)(i / step);
    block[bytes - 1] = 77;
    for (size_t i = 0; i < bytes; i += step)
        if (block[i] != (char)(i / step)) return 1;
    if (block[bytes - 1] != 77) return 2;
    return (count > 2 ? malloc(bytes) : sbrk(bytes)) == none ? 0 : 4;
}
