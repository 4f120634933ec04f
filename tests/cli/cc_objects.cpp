// C++ without its library: constructors, virtual functions, new, and ways to go wrong.
#include <stdio.h>
#include <stdlib.h>

struct Shape {
    virtual int area() { return 1; }
    virtual ~Shape() {}
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    int area() override { return side * side; }
};
static struct Global {
    Global() { puts("constructed"); }
    ~Global() { puts("destroyed"); }
} global;

static int deeper(int n) {
    volatile char frame[100000];
    frame[0] = (char)n;
    return n < 1000 ? deeper(n + 1) + frame[0] : 0;
}

int main(int argc, char **argv) {
    Shape *shape = new Square(7);
    printf("area %d\n", shape->area());
    delete shape;
    switch (argc > 1 ? argv[1][0] : ' ') {
    case 'o': return deeper(0);
    case 't': __asm__ volatile("unimp"); break;
    case 'a': abort();
    case 'e': exit(9);
    default: break;
    }
    return 0;
}
