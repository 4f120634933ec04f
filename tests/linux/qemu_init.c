// First process of a guest on QEMU, which has no tray and no second UART: runs /program with the words and variables
// that the kernel has from its command line, prints its status, and powers the machine off.
#include <stdio.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words, char **environment) {
    enum { CONSOLE_LEVEL = 8, ERRORS = 4 };
    int status = 0;
    (void)count;
    klogctl(CONSOLE_LEVEL, NULL, ERRORS);
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    puts("begin");
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execve("/program", words, environment);
        _exit(126);
    }
    waitpid(child, &status, 0);
    printf("status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fflush(stdout);
    return reboot(RB_POWER_OFF);
}
