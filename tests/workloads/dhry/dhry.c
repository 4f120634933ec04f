// dhry: a work-alike of the Dhrystone benchmark, version 2.1.
//
// Written from the published description (R. Weicker, CACM 27(10), 1984, and SIGPLAN Notices 23(8), 1988): the same
// procedures, parameters, types and mix of statements, in source text of our own. Its IPC may be held against figures
// for Dhrystone; its runs per second are NOT a Dhrystone rating. Checked: the final values of all variables, which the
// description gives.
#include "dhry.h"

#define RUNS SIZED(320, 3300, 33000)

static struct record head_record, second_record;
struct record *head = &head_record, *second = &second_record;
int global_number;
bool global_flag;
char global_letter_1, global_letter_2;
int vector[VECTOR], matrix[VECTOR][VECTOR];

__attribute__((noinline)) void work_on_record(struct record *record) {
    struct record *next = record->next;
    *record->next = *head;
    record->variant.one.number = 5;
    next->variant.one.number = record->variant.one.number;
    next->next = record->next;
    follow_head(&next->next);
    if (next->kind == FIRST) {
        next->variant.one.number = 6;
        choose(record->variant.one.choice, &next->variant.one.choice);
        next->next = head->next;
        add_plus_two(next->variant.one.number, 10, &next->variant.one.number);
    } else {
        *record = *record->next;
    }
}

__attribute__((noinline)) void subtract_while_a(int *number) {
    int local = *number + 10;
    enum choice state = SECOND;
    do {
        if (global_letter_1 == 'A') {
            local--;
            *number = local - global_number;
            state = FIRST;
        }
    } while (state != FIRST);
}

__attribute__((noinline)) void follow_head(struct record **result) {
    if (head) *result = head->next;
    add_plus_two(10, global_number, &head->variant.one.number);
}

__attribute__((noinline)) void set_flag(void) {
    bool is_a = global_letter_1 == 'A';
    global_flag = is_a | global_flag;
    global_letter_2 = 'B';
}

__attribute__((noinline)) void set_letter(void) {
    global_letter_1 = 'A';
    global_flag = false;
}

int main(void) {
    int one = 0, two = 0, three = 0;
    enum choice state = FIRST;
    text_t text_1, text_2;

    head->next = second;
    head->kind = FIRST;
    head->variant.one.choice = THIRD;
    head->variant.one.number = 40;
    strcpy(head->variant.one.text, "A RECORD'S TEXT, THIRTY BYTES.");
    strcpy(text_1, "WORK-ALIKE PROGRAM, 1ST STRING");
    matrix[8][7] = 10;

    for (int run = 1; run <= RUNS; run++) {
        set_letter();
        set_flag();
        one = 2;
        two = 3;
        strcpy(text_2, "WORK-ALIKE PROGRAM, 2ND STRING");
        state = SECOND;
        global_flag = !compare_texts(text_1, text_2);
        while (one < two) {
            three = 5 * one - two;
            add_plus_two(one, two, &three);
            one++;
        }
        fill_arrays(vector, matrix, one, three);
        work_on_record(head);
        for (char letter = 'A'; letter <= global_letter_2; letter++) {
            if (state == compare_letters(letter, 'C')) {
                choose(FIRST, &state);
                strcpy(text_2, "WORK-ALIKE PROGRAM, 3RD STRING");
                two = run;
                global_number = run;
            }
        }
        two = two * one;
        one = two / three;
        two = 7 * (two - three) - one;
        subtract_while_a(&one);
    }

    bool ok = global_number == 5 && global_flag && global_letter_1 == 'A' && global_letter_2 == 'B';
    ok &= vector[8] == 7 && matrix[8][7] == RUNS + 10;
    ok &= head->next == second && head->kind == FIRST && head->variant.one.choice == THIRD &&
          head->variant.one.number == 17 && strcmp(head->variant.one.text, "A RECORD'S TEXT, THIRTY BYTES.") == 0;
    ok &= second->next == second && second->kind == FIRST && second->variant.one.choice == SECOND &&
          second->variant.one.number == 18 && strcmp(second->variant.one.text, head->variant.one.text) == 0;
    ok &= one == 5 && two == 13 && three == 7 && state == SECOND;
    ok &= strcmp(text_1, "WORK-ALIKE PROGRAM, 1ST STRING") == 0;
    ok &= strcmp(text_2, "WORK-ALIKE PROGRAM, 2ND STRING") == 0;
    return workload_result((uint64_t)matrix[8][7], ok);
}
