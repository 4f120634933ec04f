// All groups of events.
#include "harness/event_groups.h"
#include <string.h>
#include <strings.h>

extern const struct event_group event_group_topdown;

const struct event_group *const event_groups[] = {
    &event_group_topdown, //
};
const size_t event_group_count = sizeof(event_groups) / sizeof(event_groups[0]);

const struct event_group *event_group_find(const char *name, size_t length) {
    for (size_t i = 0; i < event_group_count; i++) {
        const char *known = event_groups[i]->name;
        if (strlen(known) == length && strncasecmp(known, name, length) == 0) return event_groups[i];
    }
    return NULL;
}
