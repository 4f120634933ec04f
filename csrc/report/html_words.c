// Names and their meaning, and the numbers of rules, for the page of HTML reports.
#include "report/advice.h"
#include "report/hot_paths.h"
#include "report/html_document.h"
#include "report/style.h"
#include "report/words.h"

static void add_states(cJSON *root) {
    cJSON *states = cJSON_AddArrayToObject(root, "states");
    for (unsigned s = 0; s <= STATE_COUNT; s++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", report_state_name(s));
        cJSON_AddStringToObject(o, "words", report_state_words(s));
        cJSON_AddItemToArray(states, o);
    }
}

static void add_events(cJSON *root, unsigned count) {
    static const char *const names[] = {EVENT_NAMES}, *const states[] = {EVENT_STATES}, *const texts[] = {EVENT_TEXTS};
    cJSON *events = cJSON_AddArrayToObject(root, "event_list");
    for (unsigned e = 0; e < count; e++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", names[e]);
        cJSON_AddStringToObject(o, "state", states[e]);
        cJSON_AddStringToObject(o, "text", texts[e]);
        cJSON_AddItemToArray(events, o);
    }
}

// The numbers that words and marks depend on: the page applies them to whatever part of the run is looked at.
static void add_rules(cJSON *root) {
    cJSON *rules = cJSON_AddObjectToObject(root, "rules");
    cJSON_AddNumberToObject(rules, "why_part", REPORT_WHY_PART);
    cJSON_AddNumberToObject(rules, "advice_part", ADVICE_PART);
    cJSON_AddNumberToObject(rules, "hot_percent", STYLE_HOT);
    cJSON_AddNumberToObject(rules, "few_samples", SPREAD_FEW);
    cJSON_AddNumberToObject(rules, "own_caller_part", OWN_CALLER_PART);
    cJSON_AddNumberToObject(rules, "half_width", SPREAD_HALF_WIDTH);
    cJSON_AddNumberToObject(rules, "interval_percent", SPREAD_PERCENT);
}

void html_words_add(cJSON *root, unsigned events) {
    add_states(root);
    add_events(root, events);
    add_rules(root);
}
