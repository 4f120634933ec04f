#!/usr/bin/env python3
"""What one module of rtl/ costs alone, in cells of the library, and its longest path: scripts/overhead/module.py issue_queue --config tea4 Entries=80 Ports=4

Inputs come from registers, outputs go to registers or leave (flow.longest_path). Arrays are flip-flops here.
"""
import argparse
import sys

import designs
import flow
import library


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("parameters", nargs="*", help="NAME=VALUE")
    parser.add_argument("--config", default="small2", help="a configuration of tables/config")
    arguments = parser.parse_intermixed_args()
    flow.install_front_end()
    cells = library.fetched()
    files = [
        *designs.core_packages(arguments.config, ""),
        str(designs.ROOT / "rtl/prim/assert.svh"),
        *designs.listed("rtl/core.f"),
        *designs.listed("rtl/profile.f"),
    ]
    found = flow.measure({"top": arguments.module, "files": files, "parameters": ",".join(arguments.parameters)}, cells)
    path, delay = found["path"], flow.reference_delays(cells)["FO4"]
    print(
        f"{arguments.module} {' '.join(arguments.parameters)} of {arguments.config}: {round(found['gates']):,} gates, {len(found['flops']):,} flip-flops, "
        f"longest path {path['ns']:.2f} ns = {path['ns'] / delay:.0f} FO4, {path['gates']} gates, {path['start']} -> {path['end']}"
    )


if __name__ == "__main__":
    sys.exit(main())
