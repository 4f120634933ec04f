// Goes through a document, level by level.
#include "base/plain_json.h"
#include "base/plain_text.h"
#include <stdlib.h>

static void make_plain(cJSON *item) {
    char *text = plain_utf8(item->valuestring);
    if (text) {
        cJSON_SetValuestring(item, text);
    } else {
        *item->valuestring = '\0';
    }
    free(text);
}

void plain_json(cJSON *root) {
    if (!root) return;
    if (cJSON_IsString(root) && root->valuestring && !plain_is(root->valuestring)) make_plain(root);
    for (cJSON *item = root->child; item; item = item->next)
        plain_json(item);
}
