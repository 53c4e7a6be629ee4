import type { JsonObject } from '@proffer/core/json';
import { createMemoryJournal } from '@proffer/journal';
import { devConfig } from '../config/index.js';
import { createMetrics } from '../metrics/index.js';
import { connectPeers, type RemoteMember } from '../peers/index.js';

/** A gateway that receives others' reports, and records who is connected to them. */
export function startPeerListener() {
  const present = new Map<string, RemoteMember>();
  const told: JsonObject[] = [];
  let hear: (message: JsonObject) => void = () => {};
  const channel = {
    tell: (message: JsonObject) => told.push(message) > 0,
    listen: (listener: (message: JsonObject) => void) => {
      hear = listener;
      return () => {};
    },
  };
  const admit = (member: RemoteMember) => {
    present.set(member.name, member);
    return {
      update: (next: RemoteMember) => void present.set(next.name, next),
      leave: () => void present.delete(member.name),
    };
  };
  const peers = connectPeers({
    journal: { ...createMemoryJournal(), peers: channel },
    liveSpaces: new Map([['main', { admit }]]),
    clock: () => 0,
    metrics: createMetrics(),
    config: devConfig(),
    log: { warn: () => {} },
  });
  return {
    /** Who is connected elsewhere, by name. */
    present,
    /** What it told the others. */
    told,
    hear: (message: JsonObject) => hear(message),
    [Symbol.dispose]: () => peers?.close(),
  };
}
