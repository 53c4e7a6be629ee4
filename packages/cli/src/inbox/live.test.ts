import { PassThrough } from 'node:stream';
import { connect } from '@proffer/client';
import { parseConfig, startGateway } from '@proffer/gateway';
import { createMemoryJournal } from '@proffer/journal';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createConnection } from '../connection/connection.js';
import { proposalMessage } from '../connection/envelopes.js';
import { createStyle } from '../terminal/style.js';
import { LOOK_FIRST } from './keys.js';
import { runLiveInbox } from './live.js';

/** A screen and a keyboard without a terminal: frames are read, keys are written. */
function fakeTerminal() {
  const stdin = new PassThrough();
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  let written = '';
  let look: () => void = () => undefined;
  stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    look();
  });
  // Time passes only when a test says so, so that no key is ever too early by chance.
  let time = Date.now();
  const shell = {
    stdin,
    stdout,
    env: {},
    style: createStyle(false),
    width: 80,
    name: 'proffer',
    now: () => time,
    print: () => undefined,
    tell: () => undefined,
  };
  return {
    shell,
    press: (keys: string) => void stdin.write(keys),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    written: () => written,
    /** The first whole frame, drawn or still to be drawn, that holds all of this. */
    frame: (...wanted: readonly (string | RegExp)[]) =>
      new Promise<string>((resolve) => {
        look = () => {
          const end = written.lastIndexOf('\u001b[J');
          const last = written.slice(written.lastIndexOf('\u001b[H', end) + '\u001b[H'.length, end);
          if (wanted.every((one) => (typeof one === 'string' ? last.includes(one) : one.test(last))))
            resolve(last);
        };
        look();
      }),
  };
}

async function liveInbox() {
  const { config } = parseConfig('dev: true', { file: 'test.yaml' });
  if (config === undefined) throw new Error('The configuration of dev mode is wrong.');
  const started = await startGateway({
    config: { ...config, listen: { ...config.listen, http: { host: '127.0.0.1', port: 0 } } },
    log: pino({ level: 'silent' }),
    journal: createMemoryJournal(),
  });
  if (!started.ok) throw new Error(started.refusal.message);
  const url = `http://127.0.0.1:${started.value.address.port}`;
  const as = (token: string) => createConnection({ url, space: 'main', token, assumed: false }, 'proffer');
  const tools = await connect({ url, space: 'main', token: 'tools' });
  await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
  const terminal = fakeTerminal();
  const controller = new AbortController();
  const ended = runLiveInbox({
    connection: as('reviewer'),
    shell: terminal.shell,
    signal: controller.signal,
  });
  return {
    ...terminal,
    ended,
    reviewer: as('reviewer'),
    propose: (id: string, text = id) => {
      const params = { name: 'echo', arguments: { text } };
      return as('agent').send(proposalMessage(id, { method: 'tools/call', params }, {}));
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      await ended;
      await tools.close();
      await started.value.close();
    },
  };
}

describe('the live inbox', () => {
  it('O-11: shows a proposal as it comes, approves it by a key, and shows the result', async () => {
    await using inbox = await liveInbox();
    await inbox.frame('Nothing waits for a decision', 'live');
    await inbox.propose('first', 'hello');
    await inbox.frame('1 pending', '› ', 'agent proposes echo', 'text  "hello"');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('0 pending', 'echo is done: ');
    expect((await inbox.reviewer.proposal('first')).proposal).toMatchObject({
      phase: 'settled',
      fulfilment: { by: 'reviewer', amendment: [] },
    });
    inbox.press('q');
    expect(await inbox.ended).toBe(0);
    // The screen of before is back, with its cursor.
    expect(inbox.written().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  });

  it('O-13: a value that is set is shown as a change before it is approved with it', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('draft', 'old');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('s');
    await inbox.frame('Set (such as text=hello)');
    inbox.press('nonsense\r');
    await inbox.frame('"nonsense" is not an assignment. For example: text=hello', 'nonsense█');
    inbox.press('\u007f'.repeat('nonsense'.length));
    inbox.press('text=new\r');
    await inbox.frame('Your changes', '- "old"', '+ "new"');
    inbox.press('a');
    await inbox.frame('0 pending', 'echo is done');
    expect(inbox.written()).not.toContain('decided by somebody else');
    const { proposal } = await inbox.reviewer.proposal('draft');
    expect(proposal.fulfilment?.amendment).toEqual([
      { path: '/arguments/text', before: 'old', after: 'new' },
    ]);
  });

  it('O-17: r asks for a reason, sends it, and the proposal leaves the list', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('unwanted');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('r');
    await inbox.frame('Reject, because');
    inbox.press('policy: not today\r');
    await inbox.frame('0 pending', '1 rejected', 'Rejected unwanted.');
    const { proposal } = await inbox.reviewer.proposal('unwanted');
    expect(proposal.rejections).toMatchObject({ reviewer: { reason: 'policy', message: 'not today' } });
  });

  it('a key meant for one proposal never decides the next that comes under the cursor', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('one');
    await inbox.propose('two');
    await inbox.frame('2 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('1 pending', 'text  "two"');
    inbox.press('aaaa');
    await inbox.frame('look first');
    expect((await inbox.reviewer.proposal('two')).proposal.phase).toBe('pending');
  });

  it('what a proposal says cannot draw on the screen', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('evil', 'x\u001b[2J\u202eyx'.repeat(30));
    const frame = await inbox.frame('1 pending', '⋮');
    expect(frame.replaceAll('\u001b[K\r\n', '').replaceAll('\u001b[K', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});
