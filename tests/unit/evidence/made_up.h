// What made_up.c includes: a function whose constant can change, and a macro whose body cannot.
#ifndef MADE_UP_H
#define MADE_UP_H

#define TWICE(x) ((x) + (x))
#define SAME(x) (x)

static inline int from_header(int a) {
    return a + 7;
}

#endif
