// A separate environment for one agent: a home, a project, Proffer's folder and a reviewer.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@proffer/client';
import { PROFFER } from './proffer.mjs';

/** @typedef {import('./agents.mjs').RealAgent} RealAgent */
/** @typedef {Awaited<ReturnType<typeof createMachine>>} Machine */

const RULES = `
default: ask
rules:
  - { name: fine, action: allow, match: { command: touch allowed } }
  - { name: not here, action: deny, reason: Not on this machine., match: { command: touch denied } }
`;
/** For agents whose MCP servers are guarded. */
const SERVER_RULES = `
default: ask
rules:
  - { name: fine, action: allow, match: { tool: read_text_file } }
  - { name: not here, action: deny, reason: Not on this machine., match: { tool: move_file } }
`;
const { PATH = '' } = process.env;

/**
 * @param {RealAgent} agent
 * @param {{ model: string, program: string }} about - where the model and the agent are
 */
export async function createMachine(agent, { model, program }) {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-real-agents-'));
  const home = join(folder, 'home');
  const guards = join(folder, 'proffer', 'guard');
  const rules = join(folder, 'rules.yaml');
  await mkdir(home);
  await mkdir(guards, { recursive: true, mode: 0o700 });
  await writeFile(join(guards, 'port'), '0\n');
  await writeFile(rules, RULES);
  await agent.prepare?.(home, model);
  const env = {
    PATH,
    HOME: home,
    PROFFER_HOME: join(folder, 'proffer'),
    HTTP_PROXY: model,
    HTTPS_PROXY: model,
    NO_PROXY: '127.0.0.1,localhost',
    ...agent.env(model),
  };

  /**
   * Runs a `proffer` command as a user would.
   *
   * @param {readonly string[]} args
   */
  const proffer = async (...args) => {
    const child = spawn(process.execPath, [PROFFER, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    const [code] = await once(child, 'close');
    if (code !== 0)
      throw new Error(`proffer ${args.join(' ')} ended with ${code}:\n${(await said).join('')}`);
  };

  return {
    agent,
    /**
     * The folder that a scene is played in.
     *
     * @param {string} name
     */
    projectOf: (name) => join(folder, name),
    /**
     * @param {boolean} hasRules - whether there is a rule file
     * @param {readonly string[]} args
     */
    async install(hasRules, ...args) {
      const ruled = hasRules ? ['--rules', rules] : [];
      if (agent.hasServers !== true)
        return await proffer('hook', 'install', agent.id, '--yes', ...ruled, ...args);
      await writeFile(join(guards, 'rules.yaml'), SERVER_RULES);
      await proffer('connect', '--only', agent.id, '--yes');
    },

    /**
     * Starts the agent in a new folder.
     *
     * @param {string} name
     */
    async start(name) {
      const project = this.projectOf(name);
      await mkdir(project);
      await writeFile(join(project, '.given'), 'What was there before.');
      const child = spawn(program, agent.args, {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const said = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
      const closed = once(child, 'close');
      return {
        project,
        child,
        said,
        kill: () => killAgent(child.pid ?? 0),
        /** Resolves when it has exited; it is killed on timeout. */
        async end(patience = 60_000) {
          const isOver = await Promise.race([
            closed.then(() => true),
            pause(patience, false, { ref: false }),
          ]);
          if (!isOver) endGroup(child.pid);
          return isOver;
        },
      };
    },

    /** A reviewer in the gateway that the hooks share. */
    async reviewer() {
      const port = await until(async () => {
        const written = (await readFile(join(guards, 'port'), 'utf8')).trim();
        return written === '0' ? undefined : written;
      });
      const token = (await readFile(join(guards, 'reviewer.token'), 'utf8')).trim();
      return await connect({ url: `http://127.0.0.1:${port}`, token, space: 'main' });
    },

    /** Kills the process that answers the hooks. */
    async killResident() {
      try {
        const { pid } = JSON.parse(await readFile(join(guards, 'hook', 'lock'), 'utf8'));
        process.kill(pid, 'SIGKILL');
      } catch {
        // It never ran, or has exited.
      }
    },

    async remove() {
      await this.killResident();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Kills an agent with all of its processes except its hook's command.
 *
 * @param {number} pid
 */
function killAgent(pid) {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const processes = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const doomed = [pid];
  // The list grows during iteration.
  for (const parent of doomed)
    for (const [, child, of, args = ''] of processes)
      if (Number(of) === parent && !args.includes('proffer-hook')) doomed.push(Number(child));
  for (const each of doomed) process.kill(each, 'SIGKILL');
}

/** @param {number | undefined} pid */
export function endGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have exited.
  }
}

/**
 * Polls until `look` returns a value.
 *
 * @template Value
 * @param {() => Value | undefined | Promise<Value | undefined>} look
 * @returns {Promise<Value>}
 */
export async function until(look, patience = 30_000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`Not within ${patience / 1_000} s.`);
    await pause(25);
  }
}

/** @param {import('node:stream').Readable} stream */
async function textOf(stream) {
  let text = '';
  for await (const part of stream.setEncoding('utf8')) text += part;
  return text;
}
