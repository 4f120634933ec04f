// A Yosys with the slang front end as a command, for proofs/prove.sh --elaborate: yosys -q -p SCRIPT, in the folder of a release.
//
//   node front_end.mjs -q -p SCRIPT      (run by test_ip.py from where npm's packages are found)
import { runYosys } from '@yowasp/yosys';
import fs from 'node:fs';

const script = process.argv[process.argv.indexOf('-p') + 1];
const folder = (path) => Object.fromEntries(fs.readdirSync(path, { withFileTypes: true }).map((entry) => [entry.name, entry.isDirectory() ? folder(`${path}/${entry.name}`) : fs.readFileSync(`${path}/${entry.name}`)]));
const sources = Object.fromEntries(['rtl', 'include', 'check', 'proofs'].map((name) => [name, folder(name)]));
const say = (bytes) => { if (bytes) process.stderr.write(bytes); };
try {
  const out = await runYosys(['-q', '-p', script], sources, { stdout: say, stderr: say, fetchProgress: () => {} });
  for (const [name, text] of Object.entries(out.proofs)) if (name.endsWith('.smt2')) fs.writeFileSync(`proofs/${name}`, text);
} catch (error) {
  if (error.code === undefined && error.name !== 'Exit') throw error;
  process.exit(1);
}
