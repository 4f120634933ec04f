// Whose stacks of transfers a collection has (results.h: struct collection; docs/guide/mix.md).
#ifndef TIPOFF_PROFILE_COLLECTION_H
#define TIPOFF_PROFILE_COLLECTION_H

enum collection_source {
    COLLECTION_MODEL,
    COLLECTION_UNIT
}; // the retired stream, by the worker; the core's own records

#endif
