// Elaborates a module through slang into Yosys and writes it as RTLIL that Yosys 0.23 reads.
//
//   node elaborate.mjs OUTPUT.il TOP PARAMETER=VALUE,... FILE...      (packages first; run by flow.py)
//
// PARAMETER=VALUE,... may be empty. With HIERARCHY=1 in the environment modules stay modules; constants, and what nobody reads, are
// followed through their ports, so that a part that another does not use is not counted.
import { runYosys } from '@yowasp/yosys';
import fs from 'node:fs';

const [output, top, parameters, ...files] = process.argv.slice(2);
const decoder = new TextDecoder();
const sources = {};
for (const file of files) sources[file.split('/').pop()] = fs.readFileSync(file, 'utf8');
const names = Object.keys(sources).filter((n) => n.endsWith('.sv')).join(' ');
const given = parameters.split(',').filter((p) => p).map((p) => `-G ${p}`).join(' ');
const hierarchy = process.env.HIERARCHY === '1';
const through = hierarchy ? 'opt_expr; opt_clean; opt_hier; '.repeat(6) + 'opt_expr; opt_clean; ' : '';
let log = '';
const keep = (bytes) => { if (bytes) log += decoder.decode(bytes, { stream: true }); };
try {
  // Cells that Yosys 0.23 does not know are taken apart here.
  const out = await runYosys(['-p', `read_slang -j 1 --ignore-assertions ${hierarchy ? '--best-effort-hierarchy' : ''} ${given} --top ${top} ${names}; proc; opt_clean; bwmuxmap; ${through}write_rtlil out.il`],
    structuredClone(sources), { stdout: keep, stderr: keep, fetchProgress: () => {} });
  const text = out['out.il'];
  fs.writeFileSync(output, typeof text === 'string' ? text : decoder.decode(text));
} catch (error) {
  if (error.code === undefined && error.name !== 'Exit') throw error;
  console.error(log.split('\n').slice(-15).join('\n'));
  process.exit(1);
}
