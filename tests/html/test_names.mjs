// Names of functions without a browser: templates short, images where they are needed, words of addresses; and what chance is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./bundle.mjs";

const { short, bare, withoutImages, functionWords } = await source("names.ts");
const { beyondChance } = await source("views/compared.ts");

// By hand; names as c++filt writes them.
test("templates are short, operators and the rest as they are", () => {
  for (const [name, shown] of [
    ["main", "main"],
    ["std::map<int, std::pair<int const, char> >::find", "std::map<…>::find"],
    ["std::vector<int>::operator[](unsigned long)", "std::vector<…>::operator[](unsigned long)"],
    ["operator<< <char>(std::ostream&)", "operator<< <…>(std::ostream&)"],
    ["a<1>::operator->() const", "a<…>::operator->() const"],
    ["a<1>::operator<=>(a<1> const&) const", "a<…>::operator<=>(a<…> const&) const"],
    ["bool b::operator<(b const&)", "bool b::operator<(b const&)"],
    ["f<(e)3>(void (*)(int))", "f<…>(void (*)(int))"],
    ["std::function<int (*)(int) -> int>::call", "std::function<…>::call"],
    ["94  a < b", "94  a < b"],
    ["lib::Tree<int>::find(int const&, long const&) const+0x1c (t.cpp:3)", "lib::Tree<…>::find(…) const+0x1c (t.cpp:3)"],
    ["beq a3, a5, lib::Tree<int, lib::Less<int> >::find(int const&)+0x1c", "beq a3, a5, lib::Tree<…>::find(…)+0x1c"],
    ['a"><img src=x>', 'a"><img src=x>'],
    ["std::_Rb_tree<int, std::pair<int const, long>, std::_Select1st<std::pair<int const, long> > >::_M_get_insert_unique_pos(int const&, unsigned long)", "std::_Rb_tree<…>::_M_get_insert_unique_pos(…)"],
  ]) assert.equal(short(name), shown);
});

test("what follows a name", () => {
  assert.equal(bare("schedule [kernel] {process 0x80} {hart 1}"), "schedule");
  assert.equal(bare("[boot ROM]"), "[boot ROM]");
});

const strings = ["", "a", "b", "kernel", "step [a]", "step [b]", "main [a]", "x/one.c", "x/two.c", "step", "user", "main"];
const number = (text) => strings.indexOf(text);
const made = (...list) => ({ strings, functions: Object.fromEntries(["name", "image", "file", "mode"].map((k, i) => [k, list.map((f) => number(f[i] ?? ""))])) });

test("an image is named where two have a function of that name", () => {
  assert.deepEqual(withoutImages(made(["step [a]", "a"], ["main [a]", "a"])), ["step", "main"]);
  assert.deepEqual(withoutImages(made(["step [a]", "a"], ["step [b]", "b"], ["main [a]", "a"])), ["step [a]", "step [b]", "main"]);
});

test("an address distinguishes functions of one name: by file, mode, order", () => {
  assert.deepEqual(functionWords(made(["step", "", "x/one.c"], ["step", "", "x/two.c"], ["main", "", "x/one.c"])), ["step:one.c", "step:two.c", "main"]);
  assert.deepEqual(functionWords(made(["step", "", "", "user"], ["step", "", "", "kernel"])), ["step:user", "step:kernel"]);
  assert.deepEqual(functionWords(made(["step"], ["step"], ["step"])), ["step", "step:2", "step:3"]);
});

// 25.2 % against 25.0 % of 15,000 samples: one standard deviation is sqrt(0.252 * 0.748 / 15000) = 0.35 %.
test("a difference is beyond chance from 1.96 standard deviations on", () => {
  const rules = { half_width: 1.96, few_samples: 10 };
  const beyond = (samples, share, truth) => beyondChance({ samples, rules }, share, truth);
  assert.equal(beyond(15000, 0.252, 0.25), false);
  assert.equal(beyond(15000, 0.258, 0.25), true); // 0.8 % of 0.70 %
  assert.equal(beyond(15000, 0.2565, 0.25), false);
  assert.equal(beyond(1000, 0.009, 0), false); // nine samples say little
  assert.equal(beyond(1000, 0.011, 0), true);
  assert.equal(beyond(0, 0.2501, 0.25), true); // no samples: no chance
});
