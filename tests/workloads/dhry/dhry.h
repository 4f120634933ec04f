// Types and procedures of the Dhrystone work-alike: see dhry.c.
#ifndef WORKLOAD_DHRY_H
#define WORKLOAD_DHRY_H

#include "runtime.h"

enum choice { FIRST, SECOND, THIRD, FOURTH, FIFTH };
enum { TEXT_BYTES = 31, VECTOR = 50 };
typedef char text_t[TEXT_BYTES];

struct record {
    struct record *next;
    enum choice kind;
    union {
        struct {
            enum choice choice;
            int number;
            text_t text;
        } one;
        struct {
            enum choice choice;
            text_t text;
        } two;
        struct {
            char a, b;
        } three;
    } variant;
};

extern struct record *head, *second;
extern int global_number;
extern bool global_flag;
extern char global_letter_1, global_letter_2;
extern int vector[VECTOR], matrix[VECTOR][VECTOR];

// dhry.c
void work_on_record(struct record *record); // "Proc 1"
void subtract_while_a(int *number);         // "Proc 2"
void follow_head(struct record **result);   // "Proc 3"
void set_flag(void);                        // "Proc 4"
void set_letter(void);                      // "Proc 5"
// parts.c: a second translation unit, so that nothing here is inlined there
void choose(enum choice given, enum choice *result);             // "Proc 6"
void add_plus_two(int a, int b, int *result);                    // "Proc 7"
void fill_arrays(int *v, int m[][VECTOR], int index, int value); // "Proc 8"
enum choice compare_letters(char a, char b);                     // "Func 1"
bool compare_texts(const char *a, const char *b);                // "Func 2"
bool is_third(enum choice given);                                // "Func 3"

#endif
