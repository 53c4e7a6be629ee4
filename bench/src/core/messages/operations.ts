import { type Envelope, PROTOCOL } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import {
  type DecisionContext,
  decideInSpace,
  emptySpace,
  evolveSpace,
  type OperationRecord,
  type SpaceState,
  type StreamAppend,
  spaceSettings,
} from '@proffer/core/operations';
import { fromWire } from './from-wire.js';

/** A space and its history. */
export interface World {
  space: SpaceState;
}

/** The time of everything: nothing expires, no id is forgotten. */
export const NOW = 1_700_000_000_000;

export const CONTEXT: DecisionContext = { now: NOW, isPresent: () => true };

export function createWorld(name = 'main'): World {
  return { space: emptySpace(spaceSettings({ name })) };
}

/** Decides a message and folds the result. Returns what would be appended. */
export function decide(world: World, envelope: Envelope): StreamAppend {
  const decision = decideInSpace(world.space, envelope, CONTEXT);
  const append = decision.appends?.[0];
  if (append === undefined) throw new Error(`not accepted: ${JSON.stringify(decision)}`);
  for (const record of append.records) world.space = evolveSpace(world.space, record);
  return append;
}

/** Like `decide`, but returns only the records. */
export function send(world: World, envelope: Envelope): readonly OperationRecord[] {
  return decide(world, envelope).records;
}

/**
 * Returns a function that adds a pending proposal to a space by replay, without deciding it: building large
 * spaces takes less than half the time.
 */
export function proposalReplayer(): (world: World, id: string) => void {
  const [template] = send(createWorld(), propose('template'));
  if (template?.type !== 'proposed') throw new Error('a proposal was not proposed');
  return (world, id) => {
    const record = { ...template, envelope: propose(id), facts: { ...template.facts, proposal: id } };
    world.space = evolveSpace(world.space, record);
  };
}

const WRITER = 'write_file';

function paramsFor(proposal: string): JsonObject {
  return {
    name: WRITER,
    arguments: { path: `/srv/reports/${proposal}.txt`, text: 'The quarterly figures, as agreed on Monday.' },
  };
}

function message(fields: Omit<Envelope, 'protocol' | 'ts'>): Envelope {
  return fromWire({ protocol: PROTOCOL, ts: '2026-01-01T00:00:00.000Z', ...fields });
}

export function propose(id: string): Envelope {
  const payload = { method: 'tools/call', params: paramsFor(id) };
  return message({ id, from: 'agent', kind: `mcp.proposal.tools/call:${WRITER}`, payload });
}

export function fulfil(id: string, proposal: string): Envelope {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: paramsFor(proposal) };
  const kind = `mcp.request.tools/call:${WRITER}`;
  return message({ id, from: 'reviewer', to: ['tools'], kind, correlationId: proposal, payload });
}

export function answer(id: string, request: string): Envelope {
  const payload = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'written' }] } };
  const kind = 'mcp.response.tools/call';
  return message({ id, from: 'tools', to: ['reviewer'], kind, correlationId: request, payload });
}

export function reportStatus(id: string, proposal: string, from = 'reviewer'): Envelope {
  const payload = { status: 'evaluating', message: 'Looking at it.' };
  return message({ id, from, kind: 'mcpx.status.proposal', correlationId: proposal, payload });
}

export function reject(id: string, proposal: string, from = 'reviewer'): Envelope {
  const payload = { reason: 'unsafe', message: 'Not into this folder.' };
  return message({ id, from, kind: 'mcpx.reject.proposal', correlationId: proposal, payload });
}

export function say(id: string, from: string): Envelope {
  return message({ id, from, kind: 'chat.message', payload: { text: 'Good morning.' } });
}
