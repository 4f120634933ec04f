// The register that software reads, the counts of further triggers and the interrupt, alone.
rtl/profile/sample_delivery.sv
