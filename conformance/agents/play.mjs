// Plays one scene with one agent and reports what went wrong.
import { readdir } from 'node:fs/promises';
import { textOf } from '@proffer/core/json';
import { createGateway, freePort } from './gateway.mjs';
import { createMachine, endGroup, until } from './machine.mjs';
import { startModel } from './model-server.mjs';

/** How long to wait for an agent that was left to ask its own user, in milliseconds. */
const UNATTENDED = 15_000;

/**
 * @param {import('./agents.mjs').RealAgent} agent
 * @param {string} program
 * @param {import('./scenes.mjs').Scene} scene
 * @returns {Promise<{ problems: readonly string[], notes: readonly string[], elsewhere: readonly string[] }>}
 * `elsewhere`: other hosts the agent tried to reach
 */
export async function play(agent, program, scene) {
  const { name, install = [], elsewhere = false, decide, leaves, hears } = scene;
  /** @type {string[]} */
  const heard = [];
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const notes = [];
  /** @type {import('./model-server.mjs').Script} */
  const script = { command: scene.command ?? `touch ${name}`, heard };
  const model = await startModel(() => script);
  const machine = await createMachine(agent, { model: model.url, program });
  const call = scene.server?.(machine.projectOf(name));
  if (call !== undefined) script.call = call;
  const gateway = elsewhere ? await createGateway() : undefined;
  /** @type {number | undefined} */
  let pid;
  /** @type {import('@proffer/client').Participant | undefined} */
  let reviewer;
  try {
    const there = gateway === undefined ? [] : ['--url', gateway.url, '--token', 'laptop'];
    const http = scene.isHttp === true ? ['--http', '--http-port', String(await freePort())] : [];
    await machine.install(scene.withoutRules !== true, ...there, ...http, ...install);
    if (scene.isDown === true) await gateway?.stop();
    const running = await machine.start(name);
    pid = running.child.pid;
    let hasLeft = false;
    /** @type {import('./scenes.mjs').Check | void} */
    let check = undefined;
    if (decide !== undefined) {
      reviewer = await (gateway ?? machine).reviewer();
      reviewer.on('error', () => {});
      try {
        const found = reviewer;
        const proposal = await until(() => found.pending.find(isCall));
        const { client, version, folder } = proposal.origin ?? {};
        // A guard knows the name that its client gives itself, and no folder.
        if (agent.hasServers !== true && (client !== agent.id || folder !== running.project))
          problems.push(`comes from ${client} in ${folder}`);
        notes.push(version === undefined ? 'version not told' : `version ${version}`);
        const killAgent = () => {
          hasLeft = true;
          running.kill();
        };
        check = await decide({ machine, reviewer, proposal, killAgent, gateway });
      } catch (error) {
        problems.push(String(error));
      }
    }
    const isOver = await running.end(
      scene.isUndecided === true && agent.hangs === true ? UNATTENDED : undefined,
    );
    if (!isOver) {
      if (scene.isUndecided === true && agent.hangs === true) notes.push('waits for its user');
      else problems.push(`did not end:\n${(await running.said).join('')}`);
    }
    if (isOver && check !== undefined) await check().catch((error) => problems.push(String(error)));
    endGroup(pid);
    const left = (await readdir(running.project)).filter((file) => !file.startsWith('.'));
    if (left.join() !== leaves.join())
      problems.push(`left ${left.join() || 'nothing'}, expected ${leaves.join() || 'nothing'}`);
    if (hears !== undefined && !heard.some((text) => hears.test(text)))
      problems.push(`the model heard ${heard.join() || 'nothing'}, expected ${hears}`);
    if (isOver && !hasLeft && heard.length === 0)
      problems.push(`the model heard nothing:\n${(await running.said).join('')}`);
    if (problems.length > 0 && heard.length > 0) notes.push(`heard ${heard.join()}`);
  } finally {
    endGroup(pid);
    await reviewer?.close();
    await machine.remove();
    await gateway?.remove();
    model.close();
  }
  return { problems, notes, elsewhere: [...model.elsewhere] };
}

/**
 * Not a guard's question whether a server's tools can be trusted.
 *
 * @param {import('@proffer/client').PendingProposal} proposal
 */
function isCall({ params }) {
  return !textOf(params?.['name']).endsWith('proffer_trust');
}
