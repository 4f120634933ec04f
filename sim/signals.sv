// Passes C the values of groups of signals that are traced (tables/signals.tsv), read by their names in the core.
// The monitor calls emit() before it closes a cycle; nothing here runs unless a group is traced.
module signals
  import config_pkg::*;
  import dpi_pkg::*;
  import events_pkg::*;
();
  `include "signals.svh"
endmodule
