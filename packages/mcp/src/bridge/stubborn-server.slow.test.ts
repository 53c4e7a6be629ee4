import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message, Participant } from '@proffer/client';
import type { Clock } from '@proffer/client/own-calls';
import { describe, expect, it } from 'vitest';
import { createUpstreamStdio } from '../channel/upstream-stdio.js';
import { startSpace } from '../testing/space.js';
import { createTestClock } from '../testing/test-clock.js';
import { Bridge } from './bridge.js';

const SERVER = fileURLToPath(new URL('testing/stubborn-server.mjs', import.meta.url));
const TOOLS = ['hang', 'release', 'change', 'die', 'run'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}));

/** A bridge to the stubborn server as a process, with a manual clock. */
async function bridged({ mode = 'calm', yaml = 'dev: true' } = {}) {
  const space = await startSpace(yaml);
  const reviewer = await space.join('reviewer');
  const messages: Message[] = [];
  reviewer.on('message', (message) => void messages.push(message));
  const list = (tools: readonly object[]) =>
    writeFileSync(join(space.folder, 'tools.json'), JSON.stringify(tools));
  list(TOOLS);
  const time = createTestClock();
  let timers = 0;
  const after: Clock['after'] = (milliseconds, callback) => {
    timers++;
    return time.after(milliseconds, callback);
  };
  const clock = { ...time, after };
  const openServer = () =>
    createUpstreamStdio({ command: process.execPath, args: [SERVER, space.folder, mode] });
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const bridge = await Bridge.start({
    participant: await space.join('tools'),
    openServer,
    clock,
    log,
    name: 'stubborn (node)',
  });
  const ask = (...[method, params]: Parameters<Participant['request']>) =>
    reviewer.request(method, params, { to: 'tools' });
  const heardIn = (file: string): readonly string[] =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return {
    space,
    reviewer,
    clock,
    /** How many timers were ever set. */
    timers: () => timers,
    logged,
    list,
    ask,
    call: (name: string) => ask('tools/call', { name }),
    read: (uri: string) => ask('resources/read', { uri }),
    /** How often the server received a message with this method. */
    heard: (method: string) => heardIn(join(space.folder, 'heard')).filter((line) => line === method).length,
    announced: () => messages.filter(({ kind }) => kind === 'mcpx.announce.tools').length,
    messages,
    served: () => JSON.stringify(reviewer.participants.find(({ id }) => id === 'tools')?.serves),
    async [Symbol.asyncDispose]() {
      await bridge.close();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

/** The space's timeout for the answer to an approved call. */
const SHORT_ANSWERS = 'dev: true\nspaces: { main: { answer_timeout: 300ms } }';
const PATIENT = { timeout: 20_000 };

describe('bridge to a server that does not answer', () => {
  it('I-7: cancels reads after 30 s, notifies the server, and runs calls meanwhile', async () => {
    await using here = await bridged();
    const reads = Array.from({ length: 200 }, () => here.read('test:hang').catch((error: unknown) => error));
    await expect.poll(() => here.heard('resources/read'), PATIENT).toBe(200);
    await expect(here.read('test:other')).rejects.toMatchObject({
      message: 'The server has 200 unanswered requests; this one was not sent. Try again in 30 s.',
    });
    expect(await here.call('run')).toMatchObject({ content: [{ text: 'run ran' }] });
    here.clock.pass(30_000);
    for (const read of await Promise.all(reads)) {
      expect(read).toMatchObject({
        code: -32_603,
        message:
          'The server has not answered resources/read for 30 s. There is no answer to resources/read; try again.',
      });
    }
    expect(await here.read('test:other')).toEqual({ contents: [] });
    expect(here.heard('notifications/cancelled')).toBe(200);
  });

  it('I-7, O-23: reuses the slot of a call after its timeout, and only then', async () => {
    await using here = await bridged({ yaml: SHORT_ANSWERS });
    await using agent = await here.space.join('agent');
    here.reviewer.onProposal(({ fulfil }) => void fulfil().catch(() => {}));
    const lost: unknown[] = [];
    const hang = (count: number): void => {
      for (let index = 0; index < count; index++) {
        here.call('hang').catch((error: unknown) => lost.push(error));
      }
    };
    const proposed = ['hang', 'hang'].map((name) =>
      agent.propose('tools/call', { name }).catch((error: unknown) => error),
    );
    for (const outcome of await Promise.all(proposed)) expect(outcome).toMatchObject({ why: 'no_answer' });
    for (const count of [500, 498]) {
      const before = here.heard('tools/call');
      hang(count);
      await expect.poll(() => here.heard('tools/call'), PATIENT).toBe(before + count);
    }
    for (let place = 0; place < 2; place++) {
      expect(await here.call('run')).toMatchObject({ content: [{ text: 'run ran' }] });
      hang(1);
    }
    await expect(here.call('run')).rejects.toMatchObject({
      message: 'The server has 1000 unanswered calls; nothing was run. Try again later.',
    });
    here.clock.pass(3_600_000);
    expect(await here.call('run')).toMatchObject({ content: [{ text: 'run ran' }] });
    expect(here.heard('notifications/cancelled')).toBe(0);
    await expect
      .poll(() => lost, PATIENT)
      .toMatchObject([{ name: 'OutcomeUnknownError', why: 'executor_lost_it' }]);
  });

  it('O-23: passes on a late answer, which makes the outcome known', async () => {
    await using here = await bridged({ yaml: SHORT_ANSWERS });
    await using agent = await here.space.join('agent');
    here.reviewer.onProposal(({ fulfil }) => void fulfil().catch(() => {}));
    const proposed = agent.propose('tools/call', { name: 'hang' });
    await expect(proposed).rejects.toMatchObject({ why: 'no_answer' });
    await here.call('release');
    const request = proposed.fulfilment?.request;
    await expect
      .poll(() => here.messages.find(({ correlationId }) => correlationId === request)?.kind, PATIENT)
      .toBe('mcp.response.tools/call');
  });

  it('lists sequentially, and is not blocked by a list that never arrives', async () => {
    await using here = await bridged();
    here.list([...TOOLS, { name: 'more' }]);
    writeFileSync(join(here.space.folder, 'silent'), '');
    await here.call('change');
    here.clock.pass(1_000);
    await expect.poll(() => here.heard('tools/list'), PATIENT).toBe(2);
    await here.call('change');
    here.clock.pass(1_000);
    await here.call('run');
    expect(here.heard('tools/list')).toBe(2);
    rmSync(join(here.space.folder, 'silent'));
    here.clock.pass(30_000);
    await expect
      .poll(() => here.logged, PATIENT)
      .toEqual([expect.stringContaining('tools could not be announced')]);
    here.clock.pass(1_000);
    await expect.poll(here.served, PATIENT).toContain('"more"');
  });
});

describe('bridge to a server that does not answer initialize', () => {
  it('I-7: kills it after a minute, reports it, and restarts it with growing delays', async () => {
    await using here = await bridged();
    const mute = join(here.space.folder, 'mute');
    writeFileSync(mute, '');
    here.call('die').catch(() => {});
    await expect.poll(() => here.logged.join(), PATIENT).toContain('Restarting it in 0.5 s');
    for (const [failures, next] of ['1 s', '2 s'].entries()) {
      here.clock.pass(1_000);
      await expect.poll(() => here.heard('initialize'), PATIENT).toBe(failures + 2);
      here.clock.pass(59_000);
      expect(here.logged.at(-1)).not.toContain(next);
      here.clock.pass(1_000);
      await expect
        .poll(() => here.logged.at(-1), PATIENT)
        .toBe(
          `stubborn (node) was stopped: it had not answered initialize for 60 s. Run it by itself to see what it is waiting for, and whether it speaks MCP. Restarting it in ${next}.`,
        );
    }
    rmSync(mute);
    here.clock.pass(2_000);
    await expect.poll(() => here.call('run').catch(() => 'not yet'), PATIENT).toHaveProperty('content');
    here.clock.pass(60_000);
    expect(await here.call('run')).toHaveProperty('content');
  });

  it('fails the first time, like a server that cannot be started', async () => {
    await using space = await startSpace();
    await using participant = await space.join('tools');
    writeFileSync(join(space.folder, 'mute'), '');
    const clock = createTestClock();
    const openServer = () => createUpstreamStdio({ command: process.execPath, args: [SERVER, space.folder] });
    const starting = Bridge.start({ participant, openServer, clock });
    const heard = join(space.folder, 'heard');
    await expect.poll(() => existsSync(heard) && readFileSync(heard, 'utf8'), PATIENT).toBe('initialize\n');
    clock.pass(60_000);
    await expect(starting).rejects.toThrow(
      'the server was stopped: it had not answered initialize for 60 s.',
    );
  });
});

describe('bridge to a server whose lists change', () => {
  it('I-7: lists at most once a second, however often it is notified, and announces only changes', async () => {
    await using here = await bridged({ mode: 'restless' });
    for (let second = 1; second < 4; second++) {
      await here.call('change');
      await here.call('run');
      expect(here.heard('tools/list')).toBe(second);
      here.clock.pass(1_000);
      await expect.poll(() => here.heard('tools/list'), PATIENT).toBe(second + 1);
    }
    // One per listing and its pause, none per notification, of which there are 60,000.
    expect(here.timers()).toBeLessThan(12);
    expect(here.announced()).toBe(1);
    here.list([...TOOLS, { name: 'more' }]);
    await here.call('run');
    here.clock.pass(1_000);
    await expect.poll(here.served, PATIENT).toContain('"more"');
    await here.call('run');
    expect(here.announced()).toBe(2);
  });

  it('announces once what a replacement server has, and nothing if that is the same', async () => {
    await using here = await bridged();
    for (const [restarts, tools] of [TOOLS, [...TOOLS.slice(1), { name: 'more' }]].entries()) {
      here.list(tools);
      here.call('die').catch(() => {});
      await expect.poll(() => here.logged.join(), PATIENT).toContain('Restarting it');
      here.logged.splice(0);
      here.clock.pass(1_000);
      await expect.poll(() => here.call('run').catch(() => 'not yet'), PATIENT).toHaveProperty('content');
      await expect.poll(() => here.heard('resources/list'), PATIENT).toBe(restarts + 2);
    }
    await expect.poll(here.served, PATIENT).toContain('"more"');
    await here.call('run');
    expect(here.announced()).toBe(2);
    expect(JSON.parse(here.served() ?? '{}')).toMatchObject({ tools: { length: TOOLS.length } });
  });
});
