import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createRandom } from '../random.js';
import { type Attack, overGrpc, overHttp, overWebSocket, type Target, withNoise } from './attacks.js';
import { changedSessions, openSessions } from './broken-envelopes.js';

// Sends malformed frames to a gateway, and looks whether it still works and how much memory it uses:
// node fuzz-main.js SEED FRAMES
const [seed = '1', many = '1'] = process.argv.slice(2);
const count = Number(many);
const AT_ONCE = 16;
const REPORTS = 20;
/** How much more memory may be in use at the end than after a tenth, in bytes. */
const ALLOWED_GROWTH = 16 * 1_048_576;
/** By how many frames each way is chosen. */
const ATTACKS: readonly Attack[] = [
  ...Array.from({ length: 12 }, () => overWebSocket),
  ...Array.from({ length: 12 }, () => overHttp),
  overGrpc,
  withNoise,
];

// The parser throws for most of what is tried here, and stacks take longer than everything else.
Error.stackTraceLimit = 0;
const child = fork(join(import.meta.dirname, 'gateway-main.js'), [], { execArgv: ['--expose-gc'] });
const gateway = { isAlive: true };
child.once('exit', (code, signal) => {
  gateway.isAlive = false;
  process.stdout.write(`The gateway ended: ${signal ?? code}.\n`);
});
const [started] = (await once(child, 'message')) as [Omit<Target, 'sessions'> & { readonly folder: string }];
const http = `http://127.0.0.1:${started.port}`;
const target: Target = { ...started, sessions: await openSessions(http) };
const random = createRandom(Number(seed));
const begin = performance.now();
let sent = 0;
let early: number | undefined;
let reported = 0;

await send('first');
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (sent < count && gateway.isAlive) {
      const attack = ATTACKS[Math.floor(random() * ATTACKS.length)] as Attack;
      const frames = await attack(target, random);
      sent += frames;
      if (sent >= ((reported + 1) * count) / REPORTS) {
        reported++;
        await report();
      }
    }
  }),
);
const late = gateway.isAlive ? await report() : 0;
if (gateway.isAlive) await send('last');
// Nothing but the two good messages is in the history.
const history = gateway.isAlive ? await recorded() : [];
const isFlat = late - (early ?? late) < ALLOWED_GROWTH;
const changed = gateway.isAlive ? await changedSessions(http, target.sessions) : [];
if (changed.length > 0) process.stdout.write(`Sessions have changed: ${changed.join(', ')}.\n`);
if (!isFlat) process.stdout.write('Memory grew.\n');
if (history.join() !== 'first,last') process.stdout.write(`In the history: ${history.join()}.\n`);
const isUnchanged = history.join() === 'first,last' && changed.length === 0;
process.exitCode = gateway.isAlive && isFlat && isUnchanged ? 0 : 1;
child.removeAllListeners('exit');
if (gateway.isAlive) {
  child.disconnect();
  await once(child, 'exit');
}
await rm(started.folder, { recursive: true, force: true });

async function report(): Promise<number> {
  child.send('memory');
  const [{ memory }] = (await once(child, 'message')) as [{ readonly memory: NodeJS.MemoryUsage }];
  const used = memory.heapUsed + memory.external;
  if (sent >= count / 10) early ??= used;
  const [megabytes, resident] = [used, memory.rss].map((bytes) => (bytes / 1_048_576).toFixed(1));
  const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
  process.stdout.write(
    `${sent} malformed frames from seed ${seed} in ${seconds} s: the gateway uses ${megabytes} MiB, ${resident} with code and stacks.\n`,
  );
  return used;
}

async function send(text: string): Promise<void> {
  const answer = await fetch(`${http}/spaces/main/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
    body: JSON.stringify({ id: text, kind: 'chat.message', payload: { text } }),
  });
  if (!answer.ok) throw new Error(`A good message is refused: ${await answer.text()}`);
}

async function recorded(): Promise<readonly string[]> {
  const answer = await fetch(`${http}/spaces/main/feed?limit=100`, {
    headers: { authorization: 'Bearer ann' },
  });
  const { messages } = (await answer.json()) as { readonly messages: readonly { readonly id: string }[] };
  return messages.map(({ id }) => id);
}
