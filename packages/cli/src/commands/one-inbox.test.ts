import { join } from 'node:path';
import { guardToken, noteGateway } from '@proffer/client/machine';
import { connect, type Participant } from '@proffer/client/participation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_URL } from '../command-options.js';
import { reviewerTokenIn } from '../connection/guards-folder.js';
import { otherGateways } from '../connection/other-gateways.js';
import { machineFolderPath, openMachineFolder } from '../guard/machine-folder.js';
import { joinSharedGateway, type OwnSharedGateway } from '../guard/shared-gateway.js';
import { liveInbox } from '../inbox/testing/live-inbox.js';
import { temporaryFolder } from '../testing/cli.js';
import { type DevGateway, startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

/** A machine with a gateway of its guards and hooks, and one of `proffer up` on a port of its own. */
let home: Awaited<ReturnType<typeof temporaryFolder>>;
let dev: DevGateway;
let guards: OwnSharedGateway;
let hook: Participant;
let env: Readonly<Record<string, string>>;
let forget: () => void;

beforeAll(async () => {
  home = await temporaryFolder();
  env = { PROFFER_HOME: home.path };
  const path = machineFolderPath(env);
  const folder = openMachineFolder(path);
  [dev, guards] = await Promise.all([startDevGateway(), joinSharedGateway(folder, { port: 0 })]);
  forget = noteGateway(path, { url: dev.url, spaces: ['main'] });
  const token = guardToken(folder, 'claude-code', Date.now());
  hook = await connect({ url: guards.url, space: 'main', token });
});

afterAll(async () => {
  await hook.close();
  await guards.close();
  await dev[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const run = (...args: readonly string[]) => runHere(args, env);

/** Asks as a hook does: it would run what was approved itself, and withdraws what was rejected. */
async function ask(id: string, command: string, agent = hook): Promise<void> {
  const proposal = agent.propose(
    'tools/call',
    { name: `${agent.name}/Bash`, arguments: { command } },
    { id, executor: agent.name },
  );
  proposal.catch(() => {});
  await proposal.accepted;
}

describe('one inbox', () => {
  it('says what is empty: the guards and hooks, or a gateway in dev mode, where something can be tried', async () => {
    // Another gateway may run on this machine, and then follows.
    expect((await run('inbox', '--guard')).stdout).toMatch(
      /^Nothing is waiting for a decision in the gateway of this machine's guards and hooks\.\n/,
    );
    const tried = await run('inbox', '--url', dev.url);
    expect(tried.stdout).toContain(`proffer propose echo --arg text=hello --url ${dev.url}`);
  });

  it('lists what waits on this machine, whichever gateway holds it', async () => {
    await dev.run('propose', 'echo', '--arg', 'text=here', '--id', 'of-up', '--no-wait', '--as', 'agent');
    await ask('of-hook', 'make release');
    const { code, stdout } = await run('inbox');
    expect(code).toBe(0);
    expect(stdout).toContain("Pending in the gateway of this machine's guards and hooks:\n");
    expect(stdout).toMatch(/of-hook .*make release/);
    expect(stdout).toContain('proffer inbox --watch, each with --guard\n');
    expect(stdout).toContain(`Pending at ${dev.url}:\n`);
    expect(stdout).toMatch(/of-up .*echo/);
    expect(stdout).toContain(`each with --url ${dev.url}\n`);
    const { elsewhere } = JSON.parse((await run('inbox', '--json')).stdout);
    expect(elsewhere).toContainEqual(expect.objectContaining({ url: guards.url, space: 'main', more: 0 }));
  });

  it('says in one line where the rest is, if a gateway is named', async () => {
    const guarded = (await run('inbox', '--guard')).stdout;
    expect(guarded).toMatch(/of-hook .*make release/);
    expect(guarded).not.toContain('of-up');
    expect(guarded).toContain(`\n1 more pending at ${dev.url}:  proffer inbox --url ${dev.url}\n`);
    const named = (await run('inbox', '--url', dev.url)).stdout;
    expect(named).toContain(
      "\n1 more pending in the gateway of this machine's guards and hooks:  proffer inbox --guard\n",
    );
  });

  it('suggests a command that leads there also where the environment names another gateway', async () => {
    const there = (set: Readonly<Record<string, string>>) =>
      otherGateways({ url: dev.url, space: 'main' }, set).find(({ url }) => url === DEFAULT_URL)?.at;
    expect(there(env)).toBe('');
    const named = { PROFFER_URL: dev.url, PROFFER_TOKEN: 'secret', PROFFER_SPACE: 'ops' };
    expect(there({ ...env, ...named })).toBe(` --url ${DEFAULT_URL} --space main --as reviewer`);

    const token = reviewerTokenIn(machineFolderPath(env)) ?? '';
    const set = { ...env, PROFFER_URL: guards.url, PROFFER_TOKEN: token };
    expect((await runHere(['inbox'], set)).stdout).toContain(
      `\n1 more pending at ${dev.url}:  proffer inbox --url ${dev.url} --as reviewer\n`,
    );
    const pasted = await runHere(['inbox', '--url', dev.url, '--as', 'reviewer'], set);
    expect(pasted.stdout).toMatch(/of-up .*echo/);
  });

  it('shows and rejects a proposal without naming the gateway that holds it', async () => {
    expect((await run('show', 'of-up')).stdout).toContain('echo');
    expect((await run('show', 'of-ho')).stdout).toContain('make release');
    expect(await run('reject', 'of-hook', '--reason', 'not today')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'Rejected of-hook.\n  claude-code withdrew this call. The caller gets your reason.',
      ),
    });
    expect((await run('show', 'of-nowhere')).code).not.toBe(0);
  });

  it('does not promise that somebody who is gone withdraws a rejected call', async () => {
    const token = guardToken(openMachineFolder(machineFolderPath(env)), 'codex', Date.now());
    const gone = await connect({ url: guards.url, space: 'main', token });
    await ask('of-gone', 'make clean', gone);
    await gone.close();
    expect((await run('reject', 'of-gone', '--reason', 'not today')).stdout).toContain(
      'codex is not connected. This call stays pending until codex returns or the call expires.',
    );
  });

  it('says in the live inbox what is pending elsewhere', async () => {
    await using inbox = await liveInbox(env);
    await inbox.frame(
      'Nothing is waiting for a decision.',
      `1 more pending at ${dev.url}:  proffer inbox --watch`,
    );
  });

  it('mentions a gateway that needs a token, and not one that no longer answers', async () => {
    const folder = join(home.path, 'guard');
    forget = noteGateway(folder, { url: 'https://proffer.example', spaces: ['main'] });
    expect((await run('inbox', '--guard')).stdout).toContain(
      'Calls may also wait at https://proffer.example. Sign in there:  proffer login --url https://proffer.example\n',
    );
    forget = noteGateway(folder, { url: 'http://127.0.0.1:9', spaces: ['main'] });
    expect((await run('inbox', '--guard')).stdout).not.toContain('127.0.0.1:9');
    forget();
  });
});

describe('propose', () => {
  it('says where it asked, and how to open that while it waits', async () => {
    const { stdout } = await dev.run('propose', 'echo', '--arg', 'text=x', '--no-wait', '--as', 'agent');
    expect(stdout).toContain(` at ${dev.url}.\n`);
    expect(stdout).toContain(`proffer inbox --watch --url ${dev.url}\n`);
    expect(stdout).toContain(`${dev.url}/console/main/inbox\n`);
  });
});
