// Elaborates tops through slang into Yosys and checks the structure of what comes out.
//
// No latch, no combinational loop, no wire with two drivers, and the arrays of memories.tsv come out as memories of no
// more ports than they may have. Prints cells, flip-flops and memories by module. (Wires without a driver: Verilator's
// -Wall finds them; slang writes x for them.)
//
//   node synth_check.mjs [--total] CONFIG MEMORIES.tsv TOP,TOP... FILE...      (packages first; run by synth_check.sh)
//
// --total: also what is left of the whole top once constants have been followed through it, for comparing configurations.
//
// Each top is read once, with its hierarchy, for the table; then it is made flat, so that a loop through several modules is seen.
import { runYosys } from '@yowasp/yosys';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const words = process.argv.slice(2);
const total = words[0] === '--total';
const [config, memoriesFile, tops, ...files] = words.slice(total ? 1 : 0);
const decoder = new TextDecoder();

const sources = {};
for (const file of files) {
  const name = file.split('/').pop();
  if (name in sources) throw new Error(`${file}: a second file of that name; module and file names are the same, so rename one`);
  sources[name] = fs.readFileSync(file, 'utf8');
}
// Packages, and the files that `top` needs, in their order: a file that is at fault stops only the tops that use it. A file
// is needed if its name, which is its module's, is a word of a file that is needed.
function needed(top) {
  const names = Object.keys(sources).filter((n) => n.endsWith('.sv'));
  const wanted = new Set(names.filter((n) => n.endsWith('_pkg.sv')).concat(`${top}.sv`));
  for (const name of wanted)
    for (const word of new Set(sources[name]?.replace(/\/\/.*/g, '').match(/[A-Za-z_]\w*/g)))
      if (`${word}.sv` in sources) wanted.add(`${word}.sv`);
  return names.filter((n) => wanted.has(n)).join(' ');
}

// Runs a script. Returns {ok, log, out}: out holds the files that it wrote.
async function yosys(script) {
  let log = '';
  const keep = (bytes) => { if (bytes) log += decoder.decode(bytes, { stream: true }); };
  try {
    const out = await runYosys(['-p', script], structuredClone(sources), { stdout: keep, stderr: keep, fetchProgress: () => {} });
    return { ok: true, log: plain(log), out };
  } catch (error) {
    if (error.code === undefined && error.name !== 'Exit') throw error;
    return { ok: false, log: plain(log), out: error.files ?? {} };
  }
}
const plain = (text) => text.replace(/\x1b\[[0-9;]*m/g, '');
const text = (file) => (file === undefined ? '' : typeof file === 'string' ? file : decoder.decode(file));

// Lines worth showing, at most `limit`, each once.
function findings(log, limit = 40) {
  const lines = [...new Set(log.split('\n').filter((l) => /error|warning|found|loop|latch|driver|cell .*(-->|\$)/i.test(l) && !/^(Checking|Executing|Used module|-- Running)/.test(l)))];
  return lines.slice(0, limit).concat(lines.length > limit ? [`... and ${lines.length - limit} more lines`] : []);
}

const failure = (log) => { const lines = findings(log); return lines.length ? lines : log.trim().split('\n').slice(-5); };

const expected = fs.readFileSync(memoriesFile, 'utf8').split('\n').filter((l) => l && !l.startsWith('#')).slice(1)
  .map((l) => { const [module, memory, writes, read] = l.split('\t'); return { module, memory, writes, read }; });
// A limit is a number or a parameter of config_pkg; -: none.
const limit = (word) => {
  if (word === '-') return Infinity;
  const number = /^\d+$/.test(word) ? word : new RegExp(`\\b${word} *= *(\\d+)`).exec(sources['config_pkg.sv'] ?? '')?.[1];
  if (number === undefined) throw new Error(`${memoriesFile}: ${word} is neither a number nor a parameter of config_pkg`);
  return Number(number);
};

const flopBits = (module) => Object.entries(module.num_cells_by_type).reduce((sum, [type, count]) => {
  const match = /^\$[as]?dff[a-z]*_(\d+)$/.exec(type);
  return sum + (match ? Number(match[1]) * count : 0);
}, 0);

// {cells, flops, memory} of a flat design.
function totals(out) {
  const [module] = Object.values(JSON.parse(text(out['total.json'])).modules);
  const kept = Object.values(JSON.parse(text(out['kept.json'])).modules).flatMap((m) => Object.values(m.cells)).filter((c) => c.type === '$mem_v2');
  const bits = kept.reduce((sum, { parameters: p }) => sum + parseInt(p.SIZE, 2) * parseInt(p.WIDTH, 2), 0);
  return { cells: module.num_cells, flops: flopBits(module), memory: bits };
}

// A module's name without what slang appends to distinguish instances.
const base = (name) => name.replace(/^\\/, '').replace(/\$.*/s, '');

// The RAMs of rtl/prim: a memory in one belongs to the module that has the RAM, and has the RAM's name there.
const RAMS = ['sync_ram', 'mp_ram'];

// [instance path, module] of every instance below `top` but RAMs, longest path first.
function instances(modules, top) {
  const found = [['', top]];
  const visit = (name, path) => {
    for (const [cell, { type }] of Object.entries(modules[name]?.cells ?? {})) {
      if (!RAMS.includes(base(type))) found.push([`${path}${cell}.`, type]);
      visit(type, `${path}${cell}.`);
    }
  };
  visit(top, '');
  return found.sort((a, b) => b[0].length - a[0].length);
}

async function check(top) {
  const faults = [];
  const { ok, log, out } = await yosys(`read_slang -j 1 --ignore-assertions --best-effort-hierarchy --top ${top} ${needed(top)}; proc; opt_clean; `
    + 'tee -q -o stat.json stat -width -json; select t:* t:$* %d; write_json -selected tree.json; select -clear; '
    + 'flatten; opt_clean; check -noinit -nolatches -force-detailed-loop-check -assert; select -assert-none t:$sr; '
    + 'opt_expr; opt_merge; opt_dff; opt_clean; memory_dff; memory_share -nosat; memory_collect; select t:$mem_v2; write_json -selected mem.json'
    + (total ? '; select -clear; opt -full; opt_mem; opt -full; tee -q -o total.json stat -width -json; select t:$mem_v2; write_json -selected kept.json' : ''));
  if (!ok) return { faults: failure(log), rows: [], memories: [] };

  const rows = new Map();
  for (const [name, m] of Object.entries(JSON.parse(text(out['stat.json'])).modules)) {
    const row = rows.get(base(name)) ?? { module: base(name), variants: 0, cells: 0, flops: 0, memory: 0 };
    row.variants++;
    row.cells = Math.max(row.cells, m.num_cells);
    row.memory = Math.max(row.memory, m.num_memory_bits);
    row.flops = Math.max(row.flops, flopBits(m));
    rows.set(row.module, row);
  }
  const paths = instances(JSON.parse(text(out['tree.json'])).modules, top);
  const memories = [];
  for (const m of Object.values(JSON.parse(text(out['mem.json'])).modules))
    for (const { type, parameters: p } of Object.values(m.cells)) {
      if (type !== '$mem_v2') continue;
      const name = p.MEMID.replace(/^\\/, ''), number = (key) => parseInt(p[key], 2);
      const [path, module] = paths.find(([path]) => name.startsWith(path));
      const memory = { module: base(module), name: name.slice(path.length).replace(/\.mem_q$/, ''), size: number('SIZE'), width: number('WIDTH'),
        reads: number('RD_PORTS'), writes: number('WR_PORTS'), read: p.RD_CLK_ENABLE.includes('0') ? 'any' : 'clocked' };
      if (!memories.some((o) => JSON.stringify(o) === JSON.stringify(memory))) memories.push(memory);
    }
  memories.sort((a, b) => `${a.module}.${a.name}`.localeCompare(`${b.module}.${b.name}`, 'en', { numeric: true }));
  for (const { module, memory, writes, read } of expected) {
    if (!rows.has(module)) continue;
    const found = memories.filter((o) => o.module === module && (o.name === memory || o.name.endsWith('.' + memory)));
    if (found.length === 0)
      faults.push(`${module}.${memory} is not a memory: it became flip-flops, was optimised away, or was renamed (scripts/synth/memories.tsv)`);
    for (const o of found) {
      if (o.writes > limit(writes)) faults.push(`${module}.${memory} has ${o.writes} write ports, ${writes} allowed (scripts/synth/memories.tsv)`);
      if (read === 'clocked' && o.read !== 'clocked') faults.push(`${module}.${memory} is read without a clock: register the read`);
    }
  }
  return { faults, rows: [...rows.values()].sort((a, b) => b.cells - a.cells), memories, whole: total && totals(out) };
}

// Lines about a top: a table of its modules, its memories.
function* told({ rows, memories, whole }) {
  if (rows.length) yield `${'module'.padEnd(24)}${'cells'.padStart(8)}${'flop bits'.padStart(12)}${'memory bits'.padStart(14)}  variants`;
  for (const r of rows) yield `${r.module.padEnd(24)}${String(r.cells).padStart(8)}${String(r.flops).padStart(12)}${String(r.memory).padStart(14)}  ${r.variants}`;
  if (whole) yield `whole, optimised: ${whole.cells} cells, ${whole.flops} flop bits, ${whole.memory} memory bits`;
  if (memories.length) yield 'memory: words x bits, write ports, read ports';
  for (const m of memories) yield `${m.module}.${m.name}: ${m.size} x ${m.width}, ${m.writes} w, ${m.reads} r${m.read === 'clocked' ? ' clocked' : ''}`;
}

// What was said of a top that passes is kept under the digest of all that it follows from: its sources, this script, the limits, the tools.
const script = fileURLToPath(import.meta.url), room = path.dirname(script);
function kept(top) {
  const hash = createHash('sha256');
  for (const file of [script, `${room}/package-lock.json`, memoriesFile]) hash.update(fs.readFileSync(file)).update('\0');
  hash.update(JSON.stringify([total, config, top]));
  for (const name of needed(top).split(' ').concat(Object.keys(sources).filter((n) => !n.endsWith('.sv')))) hash.update(`\0${name}\0${sources[name]}`);
  return `${room}/passed/${hash.digest('hex').slice(0, 24)}`;
}

let failed = 0;
const names = tops.split(',');
fs.mkdirSync(`${room}/passed`, { recursive: true });
for (const top of names) {
  const started = Date.now(), file = kept(top), known = fs.existsSync(file);
  const found = known ? { faults: [] } : await check(top);
  failed += found.faults.length > 0;
  const lines = known ? fs.readFileSync(file, 'utf8') : [...told(found)].map((line) => `      ${line}\n`).join('');
  const time = known ? 'as before, of the same sources' : `${((Date.now() - started) / 1000).toFixed(1)} s`;
  console.log(`${found.faults.length ? 'FAIL' : 'PASS'}  synth/${config}/${top}  (${time})`);
  for (const fault of found.faults) console.log(`      ${fault}`);
  process.stdout.write(lines);
  if (known || found.faults.length) continue;
  fs.writeFileSync(`${file}.${process.pid}`, lines);
  fs.renameSync(`${file}.${process.pid}`, file);
}
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
