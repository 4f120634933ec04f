// Reads a file of the host and its console by turns, a byte at a time, with much to compute between.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int file = open(TEXT, O_RDONLY);
    uint64_t hash = 1;
    char of_file, typed;
    lseek(file, 3, SEEK_SET);
    while (read(file, &of_file, 1) == 1 && read(0, &typed, 1) == 1) {
        for (int i = 0; i < 3000; i++)
            hash = hash * UINT64_C(6364136223846793005) + (uint8_t)of_file + (uint8_t)typed;
        printf("%c%c%d\n", of_file, typed, (int)(hash >> 61));
    }
    close(file);
    return 43;
}
