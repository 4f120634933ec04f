// Images as JSON: strings for numbers that a double does not hold.
#include "profile/guest_images.h"
#include "profile/place.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_u64(cJSON *object, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cJSON_AddStringToObject(object, key, text);
}

void guest_images_put(cJSON *object, const struct guest_images *images) {
    cJSON *array = images->count ? cJSON_AddArrayToObject(object, "images") : NULL;
    for (uint32_t i = 0; i < images->count; i++) {
        const struct guest_image *image = &images->list[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", image->name);
        cJSON_AddNumberToObject(o, "modes", image->modes);
        if (!image->any_space) put_u64(o, "space", image->space);
        put_u64(o, "bias", image->bias);
        if (image->bytes) put_u64(o, "bytes", image->bytes);
        cJSON_AddStringToObject(o, "path", image->path);
        cJSON_AddStringToObject(o, "build_id", image->build_id);
        cJSON_AddStringToObject(o, "digest", image->digest);
        cJSON_AddItemToArray(array, o);
    }
}

static bool take_text(const cJSON *object, const char *key, char *out, size_t size) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsString(item) || strlen(item->valuestring) >= size) return false;
    memcpy(out, item->valuestring, strlen(item->valuestring) + 1);
    return true;
}

static bool take_u64(const cJSON *object, const char *key, uint64_t *out) {
    char text[24], *end;
    if (!take_text(object, key, text, sizeof text)) return false;
    *out = strtoull(text, &end, 10);
    return end != text && *end == '\0';
}

static bool take_one(const cJSON *item, struct guest_image *image) {
    const cJSON *modes = cJSON_GetObjectItemCaseSensitive(item, "modes");
    if (!cJSON_IsNumber(modes) || !(modes->valuedouble >= 1 && modes->valuedouble <= 15)) return false;
    image->modes = (uint32_t)modes->valuedouble;
    image->any_space = !cJSON_GetObjectItemCaseSensitive(item, "space");
    image->space = image->bytes = 0;
    if (cJSON_GetObjectItemCaseSensitive(item, "bytes") && !take_u64(item, "bytes", &image->bytes)) return false;
    if (!take_text(item, "digest", image->digest, sizeof image->digest)) image->digest[0] = '\0';
    return (image->any_space || take_u64(item, "space", &image->space)) && take_u64(item, "bias", &image->bias) &&
           take_text(item, "name", image->name, sizeof image->name) &&
           take_text(item, "path", image->path, sizeof image->path) &&
           take_text(item, "build_id", image->build_id, sizeof image->build_id);
}

bool guest_images_take(const cJSON *object, struct guest_images *images) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, "images"), *item;
    images->count = 0;
    if (!array) return true;
    if (!cJSON_IsArray(array)) return false;
    cJSON_ArrayForEach(item, array) {
        if (images->count == GUEST_IMAGES || !take_one(item, &images->list[images->count])) return false;
        images->count++;
    }
    return true;
}

const struct guest_image *guest_images_program(const struct guest_images *images) {
    for (uint32_t i = 0; i < images->count; i++) {
        if (images->list[i].modes & 1u << MODE_USER) return &images->list[i];
    }
    return NULL;
}
