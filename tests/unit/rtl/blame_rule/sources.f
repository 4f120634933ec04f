// What the test of blame_rule is built from.
sim/blame_rule.sv
