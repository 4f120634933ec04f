// Bytecode interpreter: a stack machine runs a sieve of Eratosthenes and hashes the digits of the primes it finds.
//
// The switch in run() is one indirect jump whose target depends on the interpreted program: the textbook case of a
// branch that is hard to predict. Checked against the number of primes below LIMIT and an FNV-1a hash that
// tests/workloads/expected.py computes without this program.
#include "runtime.h"

enum opcode {
    PUSH,      // operand             -- n
    GET,       // variable            -- v
    SET,       // variable          v --
    LOAD,      //                   a -- cell[a]
    STORE,     //                 v a --           cell[a] = v
    DUP,       //                   v -- v v
    ADD,       //                 a b -- a + b
    MUL,       //                 a b -- a * b
    XOR,       //                 a b -- a ^ b
    DIV,       //                 a b -- a / b
    REM,       //                 a b -- a % b
    LESS,      //                 a b -- a < b
    JUMP,      // label
    JUMP_ZERO, // label             v --           jumps if v is 0
    JUMP_SET,  // label             v --           jumps if v is not 0
    HALT,
    LABEL, // label: marks a place, does nothing
};

enum variable { I, J, VALUE, COUNT, HASH, VARIABLES };
enum label { OUTER, CROSS, NEXT, SCAN, DIGIT, SKIP, DONE, LABELS };

struct instruction {
    enum opcode op;
    uint32_t operand;
};

#define LIMIT (SIZE == 3 ? 41u : SIZED(281u, 2203u, 20011u)) // primes: one too many is noticed
static const uint32_t primes_below_limit = SIZE == 3 ? 12 : SIZED(59, 327, 2262);
static const uint32_t hash_of_primes = SIZE == 3 ? 0x8113980a : SIZED(0xb01823a7, 0x8773c810, 0xc0ca4e82);

// A line is a statement of the interpreted program.
// clang-format off
static struct instruction program[] = {
    // Cross out the multiples of every prime up to the square root: cell[j] = 1.
    {PUSH, 2}, {SET, I},
    {LABEL, OUTER},
    {GET, I}, {DUP}, {MUL}, {PUSH, LIMIT}, {LESS}, {JUMP_ZERO, SCAN},
    {GET, I}, {LOAD}, {JUMP_SET, NEXT},
    {GET, I}, {DUP}, {MUL}, {SET, J},
    {LABEL, CROSS},
    {GET, J}, {PUSH, LIMIT}, {LESS}, {JUMP_ZERO, NEXT},
    {PUSH, 1}, {GET, J}, {STORE},
    {GET, J}, {GET, I}, {ADD}, {SET, J},
    {JUMP, CROSS},
    {LABEL, NEXT},
    {GET, I}, {PUSH, 1}, {ADD}, {SET, I},
    {JUMP, OUTER},

    // Count what is left, and hash its decimal digits, lowest first (FNV-1a, 32 bits).
    {LABEL, SCAN},
    {PUSH, 2166136261u}, {SET, HASH},
    {PUSH, 2}, {SET, I},
    {LABEL, SKIP},
    {GET, I}, {PUSH, LIMIT}, {LESS}, {JUMP_ZERO, DONE},
    {GET, I}, {DUP}, {PUSH, 1}, {ADD}, {SET, I},
    {DUP}, {SET, VALUE}, {LOAD}, {JUMP_SET, SKIP},
    {GET, COUNT}, {PUSH, 1}, {ADD}, {SET, COUNT},
    {LABEL, DIGIT},
    {GET, VALUE}, {PUSH, 10}, {REM}, {PUSH, '0'}, {ADD},
    {GET, HASH}, {XOR}, {PUSH, 16777619u}, {MUL}, {SET, HASH},
    {GET, VALUE}, {PUSH, 10}, {DIV}, {DUP}, {SET, VALUE},
    {JUMP_SET, DIGIT},
    {JUMP, SKIP},
    {LABEL, DONE},
    {HALT},
};
// clang-format on
static uint32_t cell[LIMIT];
static uint32_t variable[VARIABLES];

// Replaces the labels in jumps by the index of the instruction that bears them.
static void link(void) {
    uint32_t place[LABELS];
    const size_t count = sizeof program / sizeof *program;
    for (size_t i = 0; i < count; i++)
        if (program[i].op == LABEL) place[program[i].operand] = (uint32_t)i;
    for (size_t i = 0; i < count; i++)
        if (program[i].op == JUMP || program[i].op == JUMP_ZERO || program[i].op == JUMP_SET)
            program[i].operand = place[program[i].operand];
}

static void run(const struct instruction *code) {
    uint32_t stack[16], *top = stack; // top points past the topmost value
    for (const struct instruction *pc = code;; pc++) {
        switch (pc->op) {
        case PUSH: *top++ = pc->operand; break;
        case GET: *top++ = variable[pc->operand]; break;
        case SET: variable[pc->operand] = *--top; break;
        case LOAD: top[-1] = cell[top[-1]]; break;
        case STORE:
            top -= 2;
            cell[top[1]] = top[0];
            break;
        case DUP:
            top[0] = top[-1];
            top++;
            break;
        case ADD:
            top--;
            top[-1] += top[0];
            break;
        case MUL:
            top--;
            top[-1] *= top[0];
            break;
        case XOR:
            top--;
            top[-1] ^= top[0];
            break;
        case DIV:
            top--;
            top[-1] /= top[0];
            break;
        case REM:
            top--;
            top[-1] %= top[0];
            break;
        case LESS:
            top--;
            top[-1] = top[-1] < top[0];
            break;
        case JUMP: pc = code + pc->operand; break;
        case JUMP_ZERO:
            if (*--top == 0) pc = code + pc->operand;
            break;
        case JUMP_SET:
            if (*--top != 0) pc = code + pc->operand;
            break;
        case HALT: return;
        case LABEL: break;
        }
    }
}

int main(void) {
    link();
    run(program);
    return workload_result((uint64_t)variable[COUNT] << 32 | variable[HASH],
                           variable[COUNT] == primes_below_limit && variable[HASH] == hash_of_primes);
}
