// What the test of record_bits.h is built from: the packages alone.
