// Which of a run's markers are boundaries of regions (Viper: Sabu et al., IEEE Access 2024; Sabu's thesis, 4.3.1):
// thinning, and a greedy choice.
#ifndef TIPOFF_METHODS_REGIONS_VIPER_BOUNDARIES_H
#define TIPOFF_METHODS_REGIONS_VIPER_BOUNDARIES_H

#include "methods/regions/markers.h"

// One execution of a marker.
struct viper_marker {
    uint64_t position; // counted instructions of the run before it
    enum marker_kind kind;
    struct regions_marker place;
    size_t number; // the caller's
};
struct viper_list { // zeros at first; free(at)
    struct viper_marker *at;
    size_t count, capacity;
};

// Of every `thin` instructions of the run the marker of the highest kind stays, the first among equals. To be called
// with one after the other, in order of position: 1 where it stays for now (it may have come in the last one's place);
// 0; or -ENOMEM.
int viper_thin(struct viper_list *l, uint64_t thin, const struct viper_marker *marker);
// Without the first `count`.
void viper_forget(struct viper_list *l, size_t count);

// The end of a region that begins at `begin`: of the markers from `least` to `most` instructions after it the first of
// the highest kind; where there is none, the first one after those. SIZE_MAX: none. at: in order of position.
size_t viper_next(const struct viper_marker *at, size_t count, uint64_t begin, uint64_t least, uint64_t most);

#endif
