#!/usr/bin/env python3
"""Write the binds into SonicBOOM's generated Verilog: the adapter into BoomCore, the rules to it, and what sees stores to tohost into LSU.

    attach/boom/gen_bind.py WIDTH > boom_bind.sv        WIDTH: instructions that commit in a cycle (coreWidth)

The names are those that Chipyard of July 2020 generates (BoomCore, its instance `rob`, LSU). Nothing in BOOM changes.
"""
import sys


def per_bank(width, *names):
    """{the last bank's, ..., bank 0's}; several names are ORed."""
    return "{" + ", ".join(" || ".join(name.format(i) for name in names) for i in reversed(range(width))) + "}"


def bound(module, instance, ports):
    return [f"bind {module} {instance} (", ",\n".join(f"  .{port}({value})" for port, value in ports.items()), ");"]


def bind(width):
    uop = "rob_io_commit_uops_{}_"
    ports = {
        "clk_i": "clock",
        "rst_ni": "!reset",
        "head_vals_i": per_bank(width, "rob.rob_head_vals_{}"),
        "empty_i": "rob_io_empty",
        "head_index_i": "rob_io_rob_head_idx",
        "commit_i": per_bank(width, "rob_io_commit_valids_{}"),
        "pc_i": per_bank(width, uop + "debug_pc"),
        "insn_i": per_bank(width, uop + "debug_inst"),
        "rvc_i": per_bank(width, uop + "is_rvc"),
        "branch_i": per_bank(width, uop + "is_br", uop + "is_jalr"),
        "source_i": per_bank(width, uop + "debug_fsrc"),
        "flush_i": per_bank(width, uop + "flush_on_commit"),
        "throw_i": "rob.will_throw_exception",
        "cause_i": "rob_io_com_xcpt_bits_cause",
        "state_i": "rob.rob_state",
        "redirect_i": "io_ifu_redirect_flush",
        "enter_i": per_bank(width, "rob_io_enq_valids_{}"),
        "enter_pc_i": per_bank(width, "rob_io_enq_uops_{}_debug_pc"),
        "enter_index_i": per_bank(width, "rob_io_enq_uops_{}_rob_idx"),
        "priv_i": "csr_io_status_prv",
        "translated_i": "csr_io_ptbr_mode != '0",
        "space_i": "csr_io_ptbr_ppn",
        "set_i": "'0",
        "set_index_i": "'0",
        "set_psv_i": "'0",
        "bundle_o": "",
    }
    stores = {
        "clk_i": "clock",
        "rst_ni": "!reset",
        "request_i": "io_dmem_req_valid && io_dmem_req_ready && io_dmem_req_bits_0_valid",
        "request_store_i": "io_dmem_req_bits_0_bits_uop_uses_stq",
        "request_kind_i": "io_dmem_req_bits_0_bits_uop_mem_cmd",
        "request_index_i": "6'(io_dmem_req_bits_0_bits_uop_stq_idx)",
        "request_addr_i": "io_dmem_req_bits_0_bits_addr",
        "request_size_i": "io_dmem_req_bits_0_bits_uop_mem_size",
        "request_data_i": "io_dmem_req_bits_0_bits_data",
        "answer_i": "io_dmem_resp_0_valid && io_dmem_resp_0_bits_uop_uses_stq",
        "answer_index_i": "6'(io_dmem_resp_0_bits_uop_stq_idx)",
        "emitted_o": "",
        "store_o": "",
    }
    rules = ", ".join(f".{port}({value})" for port, value in (("clk_i", "clk_i"), ("rst_ni", "rst_ni"), ("bundle_i", "bundle_o"), ("broken_o", "")))
    lines = [
        "// Written by attach/boom/gen_bind.py. Events by ROB index go to set_i, set_index_i and set_psv_i.",
        "/* verilator lint_off PINCONNECTEMPTY */",
        *bound("BoomCore", "boom_adapter u_tipoff_adapter", ports),
        *bound("LSU", "boom_stores u_tipoff_stores", stores),
        f"bind boom_adapter bundle_rules u_bundle_rules ({rules});",
        f"bind boom_adapter blame_rule u_blame_rule ({rules});",
        "/* verilator lint_on PINCONNECTEMPTY */",
    ]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or not 1 <= int(sys.argv[1]) <= 8:
        print(__doc__, file=sys.stderr)
        return 2
    print(bind(int(sys.argv[1])), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
