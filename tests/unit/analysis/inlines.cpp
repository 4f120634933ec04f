// Templates, overloads, lambdas and methods that a compiler inlines into one another, and some that it may not.
namespace shapes {
template <typename T, int N> struct vec {
    T value[N];
    T dot(const vec &other) const {
        T sum = 0;
        for (int i = 0; i < N; i++)
            sum += value[i] * other.value[i];
        return sum;
    }
    template <typename F> vec map(F f) const {
        vec out;
        for (int i = 0; i < N; i++)
            out.value[i] = f(value[i]);
        return out;
    }
};
template <typename T> inline T clamp(T x, T low, T high) { return x < low ? low : x > high ? high : x; }
inline int clamp(int x) { return clamp(x, -100, 100); }
} // namespace shapes

template <typename T, int N> __attribute__((noinline)) T norm(const shapes::vec<T, N> &v) {
    return v.map([](T x) { return shapes::clamp<T>(x, 1, 9); }).dot(v);
}

class counter {
  public:
    counter &operator+=(int by) {
        total = shapes::clamp(total + by);
        return *this;
    }
    __attribute__((noinline)) int twice(int by);
    int total = 0;
};

int counter::twice(int by) {
    *this += by;
    *this += 2 * by;
    return total;
}

int seed = 3;

extern "C" int _start() {
    shapes::vec<int, 3> a = {{seed, 2, 30}};
    shapes::vec<long, 5> b = {{seed, 5, 6, 7, 8}};
    counter c;
    return norm(a) + (int)norm(b) + c.twice(seed);
}
