// The procedures of dhry that do not see its main program.
#include "dhry.h"

__attribute__((noinline)) void choose(enum choice given, enum choice *result) {
    *result = given;
    if (!is_third(given)) *result = FOURTH;
    switch (given) {
    case FIRST: *result = FIRST; break;
    case SECOND: *result = global_number > 100 ? FIRST : FOURTH; break;
    case THIRD: *result = SECOND; break;
    case FOURTH: break;
    case FIFTH: *result = THIRD; break;
    }
}

__attribute__((noinline)) void add_plus_two(int a, int b, int *result) {
    *result = b + a + 2;
}

__attribute__((noinline)) void fill_arrays(int *v, int m[][VECTOR], int index, int value) {
    int at = index + 5;
    v[at] = value;
    v[at + 1] = v[at];
    v[at + 30] = at;
    for (int i = at; i <= at + 1; i++)
        m[at][i] = at;
    m[at][at - 1]++;
    m[at + 20][at] = v[at];
    global_number = 5;
}

__attribute__((noinline)) enum choice compare_letters(char a, char b) {
    char same = a;
    if (same != b) return FIRST;
    global_letter_1 = same;
    return SECOND;
}

__attribute__((noinline)) bool compare_texts(const char *a, const char *b) {
    int at = 2;
    char letter = 0;
    while (at <= 2) {
        if (compare_letters(a[at], b[at + 1]) == FIRST) {
            letter = 'A';
            at++;
        }
    }
    if (letter >= 'W' && letter < 'Z') at = 7;
    if (letter == 'R') return true;
    if (strcmp(a, b) > 0) {
        at += 7;
        global_number = at;
        return true;
    }
    return false;
}

__attribute__((noinline)) bool is_third(enum choice given) {
    return given == THIRD;
}
