// Sets a module beside a mutant of it, with the same inputs, and writes the pair as SMT-LIB2.
//
//   node miter.mjs OUTPUT MODULE ORIGINAL MUTANT FILE...      (packages first; run by equivalence.py)
import { runYosys } from '@yowasp/yosys';
import fs from 'node:fs';

const [output, module, original, mutant, ...files] = process.argv.slice(2);
const decoder = new TextDecoder();
const sources = { 'gold_unit.sv': fs.readFileSync(original, 'utf8'), 'gate_unit.sv': fs.readFileSync(mutant, 'utf8') };
for (const file of files) sources[file.split('/').pop()] = fs.readFileSync(file, 'utf8');
const shared = files.map((f) => f.split('/').pop()).filter((n) => n.endsWith('.sv')).join(' ');
const side = (name) => `read_slang -j 1 --top ${module} ${shared} ${name}_unit.sv; prep -top ${module} -flatten; memory_map; `
  + `async2sync; chformal -remove; opt_clean; setundef -undriven -zero; setundef -zero; rename ${module} ${name}; design -stash ${name}; `;
let log = '';
const keep = (bytes) => { if (bytes) log += decoder.decode(bytes, { stream: true }); };
try {
  const out = await runYosys(['-p', side('gold') + side('gate')
    + 'design -copy-from gold gold; design -copy-from gate gate; miter -equiv -make_assert gold gate pair; '
    + 'hierarchy -top pair; flatten; chformal -lower; dffunmap; opt_clean; write_smt2 -wires pair.smt2'], sources, { stdout: keep, stderr: keep, fetchProgress: () => {} });
  const text = out['pair.smt2'];
  fs.writeFileSync(output, typeof text === 'string' ? text : decoder.decode(text));
} catch (error) {
  if (error.code === undefined && error.name !== 'Exit') throw error;
  console.error(log.split('\n').slice(-15).join('\n'));
  process.exit(1);
}
