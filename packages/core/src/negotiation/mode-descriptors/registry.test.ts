import { describe, expect, it } from 'vitest';
import { replay } from '../../decision.js';
import type { JsonObject } from '../../json/json.js';
import { listModes, type ModeCommand, type ModeRecord, modeRegistry } from './registry.js';

const descriptor = (mode: string, change: JsonObject = {}): JsonObject => ({
  mode,
  mode_version: '1',
  ...change,
});
const register = (mode: string, change: JsonObject = {}): ModeCommand => ({
  type: 'register',
  principal: 'manager',
  descriptor: descriptor(mode, change),
});
const unregister = (mode: string): ModeCommand => ({ type: 'unregister', principal: 'manager', mode });
const promote = (mode: string, name: string): ModeCommand => ({
  type: 'promote',
  principal: 'manager',
  mode,
  name,
});

/** The result of each command in turn, and the modes in the end. */
function tell(...commands: readonly ModeCommand[]) {
  const records: ModeRecord[] = [];
  const results = commands.map((command) => {
    const decision = modeRegistry.decide(replay(modeRegistry, records), command, { now: 1 });
    records.push(...(decision.records ?? []));
    return decision.refused?.code ?? decision.unchanged ?? 'accepted';
  });
  return { results, modes: listModes(replay(modeRegistry, records)).map(({ mode }) => mode) };
}

describe('extension modes', () => {
  it('are described once under their name', () => {
    const { results, modes } = tell(
      register('ext.b.v1'),
      register('ext.a.v1'),
      register('ext.a.v1'),
      register('ext.a.v1', { title: 'Another' }),
    );
    expect(results).toEqual(['accepted', 'accepted', 'duplicate', 'INVALID_ENVELOPE']);
    expect(modes).toEqual(['ext.a.v1', 'ext.b.v1']);
  });

  it('are unregistered and renamed', () => {
    const { results, modes } = tell(
      register('ext.a.v1'),
      register('ext.b.v1'),
      promote('ext.a.v1', 'ext.z.v1'),
      promote('ext.b.v1', ''),
      unregister('ext.a.v1'),
      unregister('ext.b.v1'),
    );
    expect(results).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'duplicate',
      'MODE_NOT_SUPPORTED',
      'accepted',
    ]);
    expect(modes).toEqual(['ext.z.v1']);
  });

  it('N-3: never replace a served mode, or one another', () => {
    const { results } = tell(
      register('macp.mode.proposal.v1'),
      unregister('macp.mode.proposal.v1'),
      register('ext.a.v1'),
      register('ext.b.v1'),
      promote('ext.a.v1', 'ext.b.v1'),
      promote('ext.a.v1', 'macp.mode.proposal.v1'),
      promote('ext.none', 'ext.c.v1'),
    );
    expect(results).toEqual([
      'INVALID_ENVELOPE',
      'MODE_NOT_SUPPORTED',
      'accepted',
      'accepted',
      'INVALID_ENVELOPE',
      'INVALID_ENVELOPE',
      'MODE_NOT_SUPPORTED',
    ]);
  });

  it('N-3: never have the name of a mode that MACP may define', () => {
    const { results, modes } = tell(
      register('macp.mode.auction.v1'),
      register('ext.a.v1'),
      promote('ext.a.v1', 'macp.mode.auction.v1'),
    );
    expect(results).toEqual(['INVALID_ENVELOPE', 'accepted', 'INVALID_ENVELOPE']);
    expect(modes).toEqual(['ext.a.v1']);
  });

  it('N-3: are refused if their description is invalid', () => {
    const bad = [{ mode: '' }, { mode_version: '' }, { message_types: 'Vote' }, { schema_uris: { Vote: 5 } }];
    expect(tell(...bad.map((change) => register('ext.a.v1', change))).results).toEqual(
      bad.map(() => 'INVALID_ENVELOPE'),
    );
  });
});
