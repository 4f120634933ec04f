// region_check against a list of first and last bytes, over random maps.
rtl/mmu/region_check.sv
