import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Participant } from '@proffer/client';
import { AGENT_IDS, AGENTS, type AgentId } from '@proffer/hook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proffer, temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const LAUNCHER = fileURLToPath(new URL('../../bin/proffer-hook.cjs', import.meta.url));
/** The path in settings written by an earlier version. */
const EARLIER = LAUNCHER.replace('.cjs', '.js');
const { PATH = '' } = process.env;

/** A separate environment: home, guards' folder and a project. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Readonly<Record<string, string>>;
let guards: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  guards = join(folder.path, 'p', 'guard');
  env = { HOME: folder.path, PROFFER_HOME: join(folder.path, 'p') };
  mkdirSync(join(folder.path, 'app'));
  // Not the developer's own.
  mkdirSync(guards, { recursive: true, mode: 0o700 });
  writeFileSync(join(guards, 'port'), '0\n');
});
afterAll(async () => {
  // Hooks first: one that waits starts the process that answers it again.
  for (const child of hooks) {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
  endServing(guards);
  await folder[Symbol.asyncDispose]();
});

/** Hooks that have not ended, such as those of a test that failed. */
const hooks = new Set<ChildProcess>();
/** The process that serves the hooks of a folder. The first hook starts it, detached. */
function serving(data: string): number {
  const { pid } = JSON.parse(readFileSync(join(data, 'hook', 'lock'), 'utf8')) as { readonly pid: number };
  return pid;
}
const residentNow = (): number => serving(guards);
function endServing(data: string): void {
  try {
    process.kill(serving(data), 'SIGKILL');
  } catch {
    // There is none, or it has exited on its own.
  }
}

const run = (...args: readonly string[]) => runHere(['hook', ...args], env);
/** In the project's folder, in a separate process. */
const runThere = (...args: readonly string[]) =>
  proffer(['hook', ...args], { env, cwd: join(folder.path, 'app') });

interface HookOptions {
  readonly agent?: AgentId;
  readonly event?: string;
  readonly wait?: number;
  readonly program?: string;
  readonly args?: readonly string[];
}

/** Runs a hook's command like an agent. */
function hook(command: string, options: HookOptions = {}) {
  const { agent = 'claude-code', wait = 20, program = process.execPath, args = [LAUNCHER] } = options;
  const { events, sample } = AGENTS[agent];
  const { event = events[0] ?? '' } = options;
  const child = spawn(program, [...args, agent, event, '--wait', String(wait)], {
    env: { PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  hooks.add(child);
  child.once('close', () => hooks.delete(child));
  child.stdin.end(JSON.stringify(sample(join(folder.path, 'app'), command)));
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const answer = once(child, 'close').then(() => stdout);
  return { child, answer };
}

async function reviewer(): Promise<Participant> {
  const port = (): string => readFileSync(join(guards, 'port'), 'utf8').trim();
  await expect.poll(port).not.toBe('0');
  const url = `http://127.0.0.1:${port()}`;
  const token = readFileSync(join(guards, 'reviewer.token'), 'utf8').trim();
  return await connect({ url, token, space: 'main', retry: { delay: 50, maxDelay: 200 } });
}
const waitingFor = (participant: Participant, command: string) =>
  participant.pending.find(({ params }) => JSON.stringify(params).includes(command));

describe('proffer hook', () => {
  it('install shows the change, keeps the file, and uninstall undoes it', async () => {
    const settings = join(folder.path, '.claude', 'settings.json');
    mkdirSync(join(folder.path, '.claude'));
    writeFileSync(settings, '{\n  "model": "opus"\n}\n');
    const declined = await runHere(['hook', 'install', 'claude-code'], env, { types: 'n\n' });
    expect(declined).toMatchObject({ code: 1, stdout: expect.stringContaining('+ ') });
    expect(readFileSync(settings, 'utf8')).not.toContain('proffer');
    // Without a terminal there is no confirmation.
    const installed = await run('install', 'claude-code', '--wait', '5m');
    expect(installed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Claude Code now asks Proffer[^]*You will be asked about everything except what only reads/,
      ),
    });
    const text = readFileSync(settings, 'utf8');
    expect(text).toContain('"model": "opus"');
    expect(text).toContain(`claude-code PreToolUse --wait 300 --data ${guards}`);
    expect(text).toContain('"timeout": 315');
    expect(readFileSync(`${settings}.before-proffer`, 'utf8')).toBe('{\n  "model": "opus"\n}\n');
    expect((await run('install', 'claude-code', '--yes', '--wait', '5m')).stdout).toContain('already');
    expect((await run('uninstall', 'claude-code', '--yes')).code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "model": "opus"\n}\n');
    expect((await run('uninstall', 'claude-code', '--yes')).stdout).toContain('has no Proffer hook');
  });

  it("puts no path of this machine and no token into a project's settings", async () => {
    expect((await runThere('install', 'cursor', '--project', '--yes')).code).toBe(0);
    const text = readFileSync(join(folder.path, 'app', '.cursor', 'hooks.json'), 'utf8');
    expect(text).toContain('"proffer-hook cursor preToolUse --wait 600"');
    expect(text).not.toContain(folder.path);
    const http = await run('install', 'claude-code', '--project', '--http', '--yes');
    expect(http).toMatchObject({ code: 2, stderr: expect.stringContaining('without --project') });
    expect(existsSync(join(folder.path, 'app', '.claude'))).toBe(false);
    expect((await runThere('uninstall', 'cursor', '--project', '--yes')).code).toBe(0);
    expect(existsSync(join(folder.path, 'app', '.cursor', 'hooks.json'))).toBe(false);
  });

  it('reports what is wrong with the arguments', async () => {
    expect((await run('install', 'claud-code')).stderr).toContain('claude-code');
    expect((await run('install', 'gemini-cli', '--http')).stderr).toContain('leave out --http');
    expect((await run('install', 'cursor', '--only-prompts')).stderr).toContain('leave out --only-prompts');
    expect((await run('install', 'codex', '--wait', '2h')).stderr).toContain('at most 58m');
    expect((await run('install', 'claude-code', '--http', '--otherwise', 'deny')).stderr).toContain(
      'does not work with --http',
    );
    expect((await run('install', 'codex', '--rules', 'none.yaml')).code).toBe(2);
  });

  it('says what an answer means that does not say it itself', async () => {
    const { stdout } = await run('test', 'cursor', '--command', 'rm -rf build', '--wait', '1s');
    expect(stdout).toContain('{}\n  No decision: Cursor does what it would do without the hook.');
  });

  it('starts on the first call, on a machine where nothing is running', async () => {
    const tested = await run('test', 'claude-code', '--command', 'proffer approve x', '--json');
    expect(tested.stdout).toContain('"permissionDecision":"deny"');
    expect(tested.stdout).toContain('It runs proffer');
    const first = residentNow();
    const called = hook('touch approved');
    await using person = await reviewer();
    await expect.poll(() => waitingFor(person, 'touch approved')).toBeDefined();
    const proposal = waitingFor(person, 'touch approved');
    const ended = proposal === undefined ? undefined : person.fulfil(proposal);
    expect(await called.answer).toContain('"permissionDecision":"allow"');
    expect(residentNow()).toBe(first);
    await hook('touch approved', { event: 'PostToolUse' }).answer;
    expect(await ended).toMatchObject({ content: [{ text: 'Claude Code ran it.' }] });
    // Rules added later apply from then on.
    const rules = join(folder.path, 'rules.yaml');
    writeFileSync(rules, 'rules: [{ action: deny, reason: Not here., match: { command: touch ** } }]');
    expect((await run('install', 'claude-code', '--yes', '--rules', rules)).code).toBe(0);
    await expect.poll(() => residentNow()).not.toBe(first);
    expect(await hook('touch denied', { args: [EARLIER] }).answer).toContain('Not here.');
    writeFileSync(rules, 'default: ask');
    await expect.poll(() => hook('touch denied', { wait: 1 }).answer).toContain('"ask"');
    // Nobody else becomes the resident while it runs.
    expect((await runThere('serve')).stderr).toContain('already');
  });

  it('notifies people of a pending call, as a file in the folder configures', async () => {
    await using told = await temporaryFolder();
    const data = join(told.path, 'guard');
    using _ = { [Symbol.dispose]: () => endServing(data) };
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        response.end('{}');
        server.emit('told', request.url, text);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(join(data, 'port'), '0\n');
    writeFileSync(
      join(data, 'notify.yaml'),
      `notify:
  url: https://192.168.1.20:7443
  channels: { phone: { type: ntfy, server: "http://127.0.0.1:${port}" } }
  participants: { reviewer: [{ channel: phone, to: my-topic, digest: 0s }] }
`,
    );
    const first = once(server, 'told');
    const called = run(
      'test',
      'claude-code',
      '--command',
      'rm -rf build',
      '--wait',
      '8s',
      '--data',
      data,
      '--json',
    );
    const [, text] = (await first) as [string, string];
    expect(text).toContain('my-topic');
    expect(text).toContain('rm -rf build');
    expect(text).toContain('https://192.168.1.20:7443/console/main/inbox/');
    endServing(data);
    expect((await called).stdout).toContain('"permissionDecision":"ask"');
    server.close();
    server.closeAllConnections();
  });

  it('O-15: withdraws the call of every agent that is killed while it waits', async () => {
    await using person = await reviewer();
    // An agent that is killed tells nobody. Some run their hooks in a shell that outlives them.
    const direct = `"${process.execPath}" "${LAUNCHER}" "$@"`;
    const inShell = `sh -c '${direct}; exit' proffer-hook "$@"`;
    const agents = AGENT_IDS.map((agent, index) => {
      const command = `touch orphaned-by-${agent}`;
      const run = index % 2 === 0 ? inShell : direct;
      const args = ['-c', `exec 3<&0; ${run} <&3 3<&- & wait`, 'agent'];
      return { command, called: hook(command, { agent, program: 'sh', args }) };
    });
    for (const { command } of agents) await expect.poll(() => waitingFor(person, command)).toBeDefined();
    for (const { called } of agents) called.child.kill('SIGKILL');
    for (const { command } of agents) await expect.poll(() => waitingFor(person, command)).toBeUndefined();
  });

  it('lets the agent ask its own user when the hook is killed, and withdraws what is left behind', async () => {
    const called = hook('touch killed');
    {
      await using person = await reviewer();
      await expect.poll(() => waitingFor(person, 'touch killed')).toBeDefined();
    }
    const before = residentNow();
    process.kill(before, 'SIGKILL');
    expect(await called.answer).toContain('"permissionDecision":"ask"');
    // The next call starts it again, along with its gateway.
    expect(await hook('cat x; proffer').answer).toContain('"permissionDecision":"deny"');
    const next = hook('touch next', { wait: 20 });
    await expect.poll(() => residentNow()).not.toBe(before);
    await using person = await reviewer();
    await expect.poll(() => waitingFor(person, 'touch next')).toBeDefined();
    expect(waitingFor(person, 'touch killed')).toBeUndefined();
    const proposal = waitingFor(person, 'touch next');
    if (proposal !== undefined) await person.reject(proposal.id, 'disagree', 'Not today.');
    expect(await next.answer).toContain('Not today.');
  });
});
