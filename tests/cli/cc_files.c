// What a newcomer's first program does: arguments, a file by its name, memory of the heap, numbers, the console, a
// status.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int calls = 3; // errno is such a variable, too

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("argument %d: %s\n", i, argv[i]);
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        printf("cannot open: %s\n", strerror(errno));
        return 4;
    }
    char *text = malloc(100000);
    size_t bytes = fread(text, 1, 100000, file);
    unsigned sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum = 31 * sum + (unsigned char)text[i];
    fseek(file, -5, SEEK_END);
    char last[6] = "";
    fread(last, 1, 5, file);
    printf("%zu bytes, sum %u, last '%s', root %.6f, %d\n", bytes, sum, last, sqrt((double)bytes), calls++);
    printf("write: %s\n", fopen("/tmp/tipoff-cc-was-here", "w") ? "opened" : strerror(errno));
    fclose(file);
    free(text);
    char line[40] = "";
    printf("typed: %s\n", fgets(line, sizeof line, stdin) ? line : "nothing");
    fprintf(stderr, "to stderr\n");
    return 7;
}
