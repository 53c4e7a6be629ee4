import type { JsonObject } from '@proffer/core/json';
import { createMemoryJournal } from '@proffer/journal';
import { afterEach, expect, it } from 'vitest';
import { configured } from '../config/testing/configured.js';
import { createMetrics } from '../metrics/index.js';
import { VERSION } from '../version.js';
import { compareConfigs } from './config-comparison.js';
import { connectPeers, type Peers } from './peers.js';

const open: Peers[] = [];
afterEach(() => {
  for (const peers of open.splice(0)) peers.close();
});

const token = (digit: string) => `participants: { ann: { tokens: ["sha256:${digit.repeat(64)}"] } }`;
const ONE = `${token('a')}\nspaces: { main: { review: [{ call: "mcp.request.tools/call:*", approvals: 1 }] } }`;
const TWO = `${token('a')}\nspaces: { main: { review: [{ call: "mcp.request.tools/call:*", approvals: 2 }] } }`;

/** Gateways that receive each other's messages at once. */
function together() {
  const listeners: ((message: JsonObject) => void)[] = [];
  const start = async (text: string) => {
    const logged: unknown[] = [];
    const channel = {
      tell: (message: JsonObject) => {
        for (const hear of listeners) hear(message);
        return true;
      },
      listen: (hear: (message: JsonObject) => void) => {
        listeners.push(hear);
        return () => void listeners.splice(listeners.indexOf(hear), 1);
      },
    };
    const peers = connectPeers({
      journal: { ...createMemoryJournal(), peers: channel },
      liveSpaces: new Map(),
      clock: () => 0,
      metrics: createMetrics(),
      config: configured(text),
      log: { warn: (...line: unknown[]) => void logged.push(line) },
    });
    if (peers === undefined) throw new Error('A journal with peers has none.');
    open.push(peers);
    await peers.start();
    return { peers, logged, tell: channel.tell };
  };
  return { start };
}

it('O-28: gateways with different review policies warn once, and name the gateway and the key', async () => {
  const { start } = together();
  const first = await start(ONE);
  const second = await start(TWO);
  const difference = { gateway: expect.stringContaining('(127.0.0.1:7420)'), keys: ['spaces.main.review'] };
  for (const { peers, logged } of [first, second]) {
    expect(peers.differences()).toEqual([difference]);
    // However often they receive it.
    expect(logged).toEqual([[difference, 'another gateway on this journal has a different configuration']]);
  }
});

it('gateways with the same configuration, apart from their listeners, do not warn', async () => {
  const { start } = together();
  const first = await start(ONE);
  const second = await start(`listen: { http: 127.0.0.1:7999 }\n${ONE}`);
  expect([first, second].map(({ peers, logged }) => [peers.differences(), logged])).toEqual([
    [[], []],
    [[], []],
  ]);
});

it('reloading one gateway after another warns in between, and reports when they agree again', async () => {
  const { start } = together();
  const first = await start(ONE);
  const second = await start(ONE);
  const next = configured(ONE.replace(token('a'), token('b')));
  first.peers.reloaded(next);
  expect(second.peers.differences()).toMatchObject([{ keys: ['participants'] }]);
  second.peers.reloaded(next);
  expect([first.peers.differences(), second.peers.differences()]).toEqual([[], []]);
  expect(second.logged.map((line) => (line as unknown[])[1])).toEqual([
    'another gateway on this journal has a different configuration',
    'the gateway has the same configuration again',
  ]);
});

it('a gateway of another version is not compared', async () => {
  const { start } = together();
  const { peers, tell } = await start(ONE);
  tell({ type: 'begin', gateway: 'newer' });
  tell({ type: 'config', gateway: 'newer', version: '99.0.0', name: 'newer', parts: { dev: 'other' } });
  expect(peers.differences()).toEqual([]);
});

/** One gateway's view of others, which announce `dev`; its own is `right`. */
function startComparison() {
  let time = 0;
  const logged: unknown[] = [];
  const told: string[] = [];
  const configs = compareConfigs({
    name: 'this',
    parts: () => ({ dev: 'right' }),
    tell: (type) => void told.push(type),
    log: { warn: (_: unknown, line?: unknown) => void logged.push(line) },
    now: () => time,
  });
  const hear = (id: string, dev: string) =>
    configs.hear(id, { version: VERSION, name: 'other', parts: { dev } });
  const wait = (seconds: number) => {
    time += seconds * 1_000;
  };
  return { configs, logged, told, hear, wait };
}

const DIFFERS = 'another gateway on this journal has a different configuration';
const AGREES = 'the gateway has the same configuration again';

it('a gateway that is silent for a moment is not warned of again', () => {
  const { configs, logged, hear, wait } = startComparison();
  for (let silence = 0; silence < 3; silence++) {
    hear('g1', 'wrong');
    configs.keep(['g1']);
    wait(50);
    configs.keep([]);
    expect(configs.differences()).toEqual([]);
  }
  expect(logged).toEqual([DIFFERS]);
});

it('a gateway that was restarted with the right file is reported to agree, under its new id', () => {
  const { configs, logged, hear } = startComparison();
  hear('g1', 'wrong');
  configs.keep([]);
  hear('g2', 'right');
  expect(logged).toEqual([DIFFERS, AGREES]);
});

it('a gateway that was killed and restarted agrees when its former id is gone', () => {
  const { configs, logged, hear } = startComparison();
  hear('g1', 'wrong');
  hear('g2', 'right');
  expect(logged).toEqual([DIFFERS]);
  configs.keep(['g2']);
  expect(logged).toEqual([DIFFERS, AGREES]);
});

it('a gateway that differs and does not come back is reported once to be gone', () => {
  const { configs, logged, hear, wait } = startComparison();
  hear('g1', 'wrong');
  wait(100);
  configs.keep(['g1']);
  for (let minute = 0; minute < 3; minute++) {
    configs.keep([]);
    wait(60);
  }
  expect(logged).toEqual([DIFFERS, 'the gateway with a different configuration has left']);
});

it('two gateways of one name do not take turns in the log', () => {
  const { logged, hear } = startComparison();
  for (let time = 0; time < 3; time++) {
    hear('g1', 'wrong');
    hear('g2', 'right');
  }
  expect(logged).toEqual([DIFFERS]);
  hear('g1', 'right');
  expect(logged).toEqual([DIFFERS, AGREES]);
});

it('a lost announcement is repeated within half a minute', () => {
  const { configs, told, wait } = startComparison();
  configs.announce();
  for (let beat = 0; beat < 60; beat++) {
    configs.keep([]);
    wait(0.5);
  }
  expect(told).toEqual(['config']);
  configs.keep([]);
  configs.keep([]);
  expect(told).toEqual(['config', 'config']);
});
