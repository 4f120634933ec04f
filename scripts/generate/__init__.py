"""What scripts/gen.py is made of: a module for each table, which checks its rows and writes what is made from them.

exports.py has a row for each generated file. A new one is a function in the module of its table (or a module of its own) and a row there.
"""
