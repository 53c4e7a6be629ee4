// npm run conformance:agents [-- AGENT…]: runs the real agents that Proffer has hooks for against a scripted
// model on loopback, and checks what happens to their calls. It installs none of them: they are looked up in
// node_modules/.bin of the folder in REAL_AGENTS, else on the PATH.
import { join } from 'node:path';
import process from 'node:process';
import { build, ready } from './prepare.mjs';
import { run } from './run.mjs';
import { main } from './step.mjs';
import { root } from './tools.mjs';

/** Linux can run a program with no network except loopback. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'alone'];

await main(async () => {
  await ready();
  await build();
  const check = [join(root, 'conformance/agents/main.mjs'), ...process.argv.slice(2)];
  const canBeAlone = await run('unshare', [...ALONE, 'true']).catch(() => ({ code: 1 }));
  if (canBeAlone.code !== 0)
    console.error('There is a network here: the agents are given a proxy that refuses everything.');
  const [program, args] =
    canBeAlone.code === 0 ? ['unshare', [...ALONE, process.execPath, ...check]] : [process.execPath, check];
  return (await run(program, args, { stream: true })).code;
});
