// What the test of bundle_rules is built from.
sim/bundle_rules.sv
