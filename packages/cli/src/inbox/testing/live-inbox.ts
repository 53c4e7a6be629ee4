import { PassThrough } from 'node:stream';
import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { vi } from 'vitest';
import { createConnection } from '../../connection/connection.js';
import { proposalMessage, withdrawalMessage } from '../../connection/envelopes.js';
import { createStyle, type Environment } from '../../terminal/shell.js';
import { NO_DATA } from '../../testing/cli.js';
import { runLiveInbox } from '../live.js';

/** A screen and a keyboard without a terminal: tests read frames and write keys. */
function fakeTerminal(env: Environment) {
  const stdin = new PassThrough();
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  let written = '';
  let look: () => void = () => undefined;
  stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    look();
  });
  // The clock advances only when a test says so, so no key is ever too early by chance.
  let time = Date.now();
  const shell = {
    stdin,
    stdout,
    env,
    style: createStyle(false),
    width: 80,
    name: 'proffer',
    now: () => time,
    print: () => undefined,
    tell: () => undefined,
    interruption: () => new AbortController().signal,
  };
  return {
    shell,
    press: (keys: string) => void stdin.write(keys),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    resize: (columns: number, rows: number) => {
      Object.assign(stdout, { columns, rows });
      stdout.emit('resize');
    },
    written: () => written,
    /** The first complete frame, past or future, that contains all of this. */
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

/** The live inbox of `reviewer`, at a gateway in dev mode where `tools` serves `echo`. */
export async function liveInbox(env: Environment = {}, yaml = 'dev: true') {
  const { gateway, port } = await startOnLoopback(yaml);
  const url = `http://127.0.0.1:${port}`;
  const as = (token: string) =>
    createConnection({ url, space: 'main', token, assumed: false, given: {} }, 'proffer');
  const tools = await connect({ url, space: 'main', token: 'tools' });
  await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
  const terminal = fakeTerminal({ ...NO_DATA, ...env });
  const controller = new AbortController();
  const connection = as('reviewer');
  let heard = 0;
  const ended = runLiveInbox({
    connection: {
      ...connection,
      async pending() {
        const found = await connection.pending();
        heard = found.proposals.length;
        return found;
      },
    },
    shell: terminal.shell,
    signal: controller.signal,
  });
  return {
    ...terminal,
    ended,
    reviewer: as('reviewer'),
    join: (token: string) => connect({ url, space: 'main', token }),
    withdraw: (id: string, reason?: string) => as('agent').send(withdrawalMessage([id], reason)),
    /** Waits until the inbox knows this many pending proposals, drawn or not. */
    heard: (pending: number) => vi.waitUntil(() => heard === pending, 20_000),
    propose: (id: string, text = id, name = 'echo') => {
      const params = { name, arguments: { text } };
      return as('agent').send(proposalMessage(id, { method: 'tools/call', params }, {}));
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      await ended;
      await tools.close();
      await gateway.close();
    },
  };
}
