// squash_unit: the head's order goes first, else the oldest mispredicted branch; both orders come a cycle later.
rtl/commit/squash_unit.sv
