// Harts of a program that tipoff-cc has built: a lock, a barrier, and the host. In each round all add to one counter,
// then each prints in its turn, and says what it has read of a file and how many harts there are.
#include <stdio.h>
#include <tipoff_harts.h>

static tipoff_lock lock;
static tipoff_barrier barrier;
static unsigned long counter; // under the lock
static unsigned harts;        // 0: main has not begun

static void read_word(char *word, size_t size, unsigned long hart) {
    FILE *file = fopen("words", "r");
    word[0] = '\0';
    if (!file) return;
    fseek(file, 8 * (long)hart, SEEK_SET);
    if (!fgets(word, (int)size, file)) word[0] = '\0';
    fclose(file);
}

static void work(unsigned long hart) {
    for (unsigned round = 0; round < ROUNDS; round++) {
        char word[8];
        for (unsigned i = 0; i < 10; i++) {
            tipoff_lock_take(&lock);
            counter += hart + 1;
            tipoff_lock_give(&lock);
        }
        read_word(word, sizeof word, hart);
        for (unsigned turn = 0; turn < harts; turn++) {
            tipoff_barrier_wait(&barrier, harts);
            if (turn == hart) printf("%u: hart %lu of %u: %lu %s\n", round, hart, harts, counter, word);
        }
        tipoff_barrier_wait(&barrier, harts);
    }
}

void tipoff_hart_main(unsigned long hart) {
    while (!__atomic_load_n(&harts, __ATOMIC_ACQUIRE))
        ;
    work(hart);
}

int main(void) {
    char line[16] = "";
    if (!fgets(line, sizeof line, stdin)) line[0] = '\0';
    printf("input %s\n", line);
    __atomic_store_n(&harts, tipoff_harts(), __ATOMIC_RELEASE);
    work(tipoff_hart());
    return 9;
}
