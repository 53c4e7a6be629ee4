// Plays all scenes with the named agents, by default all agents. Started by `npm run conformance:agents`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { REAL_AGENTS } from './agents.mjs';
import { play } from './play.mjs';
import { SCENES, SERVER_SCENES } from './scenes.mjs';

const { REAL_AGENTS: folder, PATH = '' } = process.env;
const places = folder === undefined ? PATH.split(delimiter) : [join(folder, 'node_modules', '.bin')];
const named = process.argv.slice(2);

/** @param {string} line */
const print = (line) => process.stdout.write(`${line}\n`);

/** @param {string} program */
const find = (program) => places.map((place) => join(place, program)).find((file) => existsSync(file));

/**
 * Plays all scenes with one agent; returns the number of problems.
 *
 * @param {import('./agents.mjs').RealAgent} agent
 */
async function check(agent) {
  const program = find(agent.program);
  if (program === undefined) {
    print(`${agent.id}: there is no ${agent.program}.`);
    print(`  npm install ${agent.from}   # in a folder of its own; then set REAL_AGENTS to that folder`);
    return 1;
  }
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  print(`${agent.id} ${/\d+\.\d+\.\d+[\w-]*/.exec(stdout)?.[0] ?? stdout.trim()}`);
  let wrong = 0;
  /** @type {Set<string>} */
  const hosts = new Set();
  for (const scene of agent.hasServers === true ? SERVER_SCENES : SCENES) {
    if (scene.isHttp === true && agent.hasHttp !== true) continue;
    const { problems, notes, elsewhere } = await play(agent, program, scene).catch((error) => ({
      problems: [String(error)],
      notes: [],
      elsewhere: [],
    }));
    wrong += problems.length;
    for (const host of elsewhere) hosts.add(host);
    print(`  ${problems.length === 0 ? 'ok   ' : 'WRONG'} ${[scene.name, ...notes].join('; ')}`);
    for (const problem of problems) print(`        ${problem}`);
  }
  if (hosts.size > 0) print(`  refused: ${[...hosts].join(', ')}`);
  return wrong;
}

const wanted = REAL_AGENTS.filter(({ id }) => named.length === 0 || named.includes(id));
if (wanted.length === 0) print(`The agents are ${REAL_AGENTS.map(({ id }) => id).join(', ')}.`);
let wrong = wanted.length === 0 ? 1 : 0;
for (const agent of wanted) wrong += await check(agent);
process.exitCode = wrong === 0 ? 0 : 1;
