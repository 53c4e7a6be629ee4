// npm run conformance:agents [-- AGENT…]: runs the real programs of the agents that Proffer has hooks for against a
// scripted model on loopback, and checks what becomes of their calls. It installs none of them: they are looked for in
// node_modules/.bin of the folder that REAL_AGENTS names, else on the PATH.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, ready } from './prepare.mjs';
import { REAL_AGENTS } from './real-agents/agents.mjs';
import { play } from './real-agents/play.mjs';
import { SCENES } from './real-agents/scenes.mjs';
import { run } from './run.mjs';
import { Failure, main } from './step.mjs';

const { REAL_AGENTS: folder, REAL_AGENTS_ALONE: isAlone, PATH = '' } = process.env;
const places = folder === undefined ? PATH.split(delimiter) : [join(folder, 'node_modules', '.bin')];
const named = process.argv.slice(2);

/** Linux can run a program where there is no network but loopback. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'alone'];

/** @param {string} program */
const find = (program) => places.map((place) => join(place, program)).find((file) => existsSync(file));

/**
 * All scenes with one agent; how much went wrong.
 *
 * @param {import('./real-agents/agents.mjs').RealAgent} agent
 */
async function check(agent) {
  const program = find(agent.program);
  if (program === undefined) {
    console.log(`${agent.id}: there is no ${agent.program}.`);
    console.log(`  npm install ${agent.from}   # in a folder of its own, which REAL_AGENTS names`);
    return 1;
  }
  const { output } = await run(program, ['--version']);
  console.log(`${agent.id} ${/\d+\.\d+\.\d+[\w-]*/.exec(output)?.[0] ?? output.trim()}`);
  let wrong = 0;
  /** @type {Set<string>} */
  const hosts = new Set();
  for (const scene of SCENES) {
    if (scene.isHttp === true && agent.hasHttp !== true) continue;
    const { problems, notes, elsewhere } = await play(agent, program, scene);
    wrong += problems.length;
    for (const host of elsewhere) hosts.add(host);
    console.log(`  ${problems.length === 0 ? 'ok   ' : 'WRONG'} ${[scene.name, ...notes].join('; ')}`);
    for (const problem of problems) console.log(`        ${problem}`);
  }
  if (hosts.size > 0) console.log(`  refused: ${[...hosts].join(', ')}`);
  return wrong;
}

await main(async () => {
  const wanted = REAL_AGENTS.filter(({ id }) => named.length === 0 || named.includes(id));
  if (wanted.length === 0) throw new Failure(`The agents are ${REAL_AGENTS.map(({ id }) => id).join(', ')}.`);
  if (isAlone === undefined) {
    await ready();
    await build();
    const env = { REAL_AGENTS_ALONE: '1' };
    const canBeAlone = await run('unshare', [...ALONE, 'true']).catch(() => ({ code: 1 }));
    const self = [process.execPath, fileURLToPath(import.meta.url), ...named];
    if (canBeAlone.code === 0) return (await run('unshare', [...ALONE, ...self], { env, stream: true })).code;
    console.log('There is a network here: the agents are given a proxy that refuses everything.');
  }
  let wrong = 0;
  for (const agent of wanted) wrong += await check(agent);
  return wrong === 0 ? 0 : 1;
});
