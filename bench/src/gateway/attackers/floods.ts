import { randomBytes } from 'node:crypto';
import { canonical } from '../driver/dialect.js';
import { textFrame } from '../driver/frame.js';
import { createStock } from '../driver/stock.js';
import { connectWire } from '../driver/wire.js';
import type { Target } from './attack.js';
import { keepReconnecting } from './keep-reconnecting.js';

/** Sends invalid JSON as fast as possible; reconnects at once when disconnected or refused. */
export async function floodWithGarbage({ port }: Target): Promise<number> {
  const garbage = Buffer.concat(
    Array.from({ length: 100 }, () => textFrame(randomBytes(150).toString('hex'), 'to server')),
  );
  await keepReconnecting({ port, path: '/ws?space=main', token: 'vandal' }, ({ socket }) => {
    let flooding = true;
    socket.once('close', () => {
      flooding = false;
    });
    const flood = (): void => {
      if (!flooding) return;
      if (socket.write(garbage)) setImmediate(flood);
      else socket.once('drain', flood);
    };
    flood();
  });
  return 1;
}

/** Messages framed in advance. */
const MESSAGES = 20_000;

/** Sends different messages at a hundred times the allowed rate, as far as the gateway reads them. */
export async function sendTooMuch({ port, limit }: Target): Promise<number> {
  await sendOften(port, limit * 100, 'another each time');
  return 1;
}

/** Sends at the allowed rate, always the same messages, which were accepted the first time (O-3). */
export async function sendAgain({ port, limit }: Target): Promise<number> {
  await sendOften(port, limit * 0.9, 'the same again');
  return 1;
}

/**
 * Sends at a fixed rate and reads the replies. Messages that the gateway does not read in time are dropped.
 */
async function sendOften(
  port: number,
  perSecond: number,
  what: 'another each time' | 'the same again',
): Promise<void> {
  const { socket } = await connectWire({ port, path: '/ws?space=main', token: 'greedy' });
  const count = what === 'the same again' ? 200 : MESSAGES;
  const nextTurn = createTurns(count);
  let frames = nextTurn();
  const length = frames.length / count;
  let sent = 0;
  let due = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    due = Math.min(due + ((now - last) * perSecond) / 1000, perSecond / 10);
    last = now;
    if (socket.writableNeedDrain) return;
    const some = Math.min(Math.floor(due), count - sent);
    // Sends a copy: the buffer is modified below while it may still wait in the socket.
    socket.write(Buffer.from(frames.subarray(sent * length, (sent + some) * length)));
    due -= some;
    sent = (sent + some) % count;
    if (sent === 0 && some > 0 && what === 'another each time') frames = nextTurn();
  }, 1);
}

/** Frames for a number of messages, the same each time except for the ids. */
function createTurns(count: number): () => Buffer {
  const run = Date.now().toString(36);
  const stock = createStock(count, (number) =>
    canonical.chat(`G${run}${turnOf(0)}${String(number).padStart(8, '0')}`),
  );
  const frames = stock.frames(0, count);
  const place = frames.indexOf(`G${run}${turnOf(0)}`) + 1 + run.length;
  let turn = 0;
  return () => {
    const text = turnOf(turn++);
    for (let at = place; at < frames.length; at += frames.length / count) frames.write(text, at, 'latin1');
    return frames;
  };
}

function turnOf(turn: number): string {
  return `-${String(turn).padStart(6, '0')}-`;
}
