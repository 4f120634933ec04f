// Console on the ns16550a, printf in miniature, and the line that ends every workload.
#include "runtime.h"

#ifndef CONSOLE_PUTC_ELSEWHERE // under the supervisor, user programs and the kernel have their own
#define UART ((volatile uint8_t *)0x10000000)
enum { UART_DATA = 0, UART_STATUS = 5, STATUS_CAN_SEND = 0x20 };

void console_putc(char c) {
    while (!(UART[UART_STATUS] & STATUS_CAN_SEND))
        ;
    UART[UART_DATA] = (uint8_t)c;
}
#endif

static void put_number(uint64_t value, unsigned base, bool negative, int width, char pad) {
    char digits[24];
    int n = 0;
    do {
        digits[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    if (negative && pad == '0') console_putc('-');
    for (int i = n + negative; i < width; i++)
        console_putc(pad);
    if (negative && pad != '0') console_putc('-');
    while (n > 0)
        console_putc(digits[--n]);
}

void console_printf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    for (const char *p = format; *p; p++) {
        if (*p != '%') {
            console_putc(*p);
            continue;
        }
        char pad = *++p == '0' ? *p++ : ' ';
        int width = 0;
        while (*p >= '0' && *p <= '9')
            width = 10 * width + (*p++ - '0');
        bool wide = *p == 'l';
        p += wide;
        switch (*p) {
        case 'd': {
            int64_t v = wide ? va_arg(list, int64_t) : va_arg(list, int);
            put_number(v < 0 ? -(uint64_t)v : (uint64_t)v, 10, v < 0, width, pad);
            break;
        }
        case 'u': put_number(wide ? va_arg(list, uint64_t) : va_arg(list, unsigned), 10, false, width, pad); break;
        case 'x': put_number(wide ? va_arg(list, uint64_t) : va_arg(list, unsigned), 16, false, width, pad); break;
        case 'c': console_putc((char)va_arg(list, int)); break;
        case 's':
            for (const char *s = va_arg(list, const char *); *s; s++)
                console_putc(*s);
            break;
        default: console_putc(*p); break;
        }
    }
    va_end(list);
}

int workload_result(uint64_t result, bool ok) {
    console_printf(WORKLOAD ": result=0x%lx %s\n", result, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
