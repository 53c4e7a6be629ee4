import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { startOnLoopback } from '../loopback.js';
import { ask } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { createToken } from '../token.js';

const { token, hash } = createToken();
const AGENT = `participants: { agent: { tokens: [${hash}], spaces: { main: ["*"] } } }`;

it.each([
  ['power', AGENT],
  ['process', `${AGENT}\njournal: { durability: process }`],
])(
  'I-1: the welcome, /readyz and the log say that acknowledged messages survive %s',
  async (durability, yaml) => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-gateway-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const lines: { readonly msg: string; readonly durability?: string }[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
    await using gateway = await startOnLoopback(yaml, { folder, log });
    expect(await ask(`http://127.0.0.1:${gateway.port}/readyz`, undefined)).toMatchObject({
      status: 200,
      body: { ready: true, durability },
    });
    await using canonical = await connectPeer(`${gateway.url}/ws`, token);
    await using mew = await connectPeer(`${gateway.url}/ws`, token, { dialect: 'mew/v0.4' });
    for (const peer of [canonical, mew]) {
      const { payload } = await peer.next(({ kind }) => /^system.welcome$/.test(kind));
      expect(payload).toMatchObject({ durability });
    }
    expect(lines.find(({ msg }) => msg === 'the gateway is ready')).toMatchObject({ durability });
    const warned = lines.some(({ msg }) => msg.includes('journal.durability: process'));
    expect(warned).toBe(durability === 'process');
  },
);
