// Elaborates a module of tests/formal through slang into Yosys and writes one SMT-LIB2 file for each proof.
//
//   node smt2.mjs OUTPUT-FOLDER TOP DEFINE,DEFINE... FILE...      (packages first; run by prove.py)
import { runYosys } from '@yowasp/yosys';
import fs from 'node:fs';

const [folder, top, defines, ...files] = process.argv.slice(2);
const decoder = new TextDecoder();
const sources = {};
for (const file of files) sources[file.split('/').pop()] = fs.readFileSync(file, 'utf8');
const names = Object.keys(sources).filter((n) => n.endsWith('.sv')).join(' ');
for (const define of defines.split(',')) {
  let log = '';
  const keep = (bytes) => { if (bytes) log += decoder.decode(bytes, { stream: true }); };
  try {
    const out = await runYosys(['-p', `read_slang -j 1 -D ${define} --top ${top} ${names}; prep -top ${top} -flatten; `
      + 'memory_map; opt -fast -full; async2sync; chformal -lower; dffunmap; opt_clean; write_smt2 -wires proof.smt2'], structuredClone(sources), { stdout: keep, stderr: keep, fetchProgress: () => {} });
    const text = out['proof.smt2'];
    fs.writeFileSync(`${folder}/${define}.smt2`, typeof text === 'string' ? text : decoder.decode(text));
  } catch (error) {
    if (error.code === undefined && error.name !== 'Exit') throw error;
    console.error(log.split('\n').slice(-15).join('\n'));
    process.exit(1);
  }
}
