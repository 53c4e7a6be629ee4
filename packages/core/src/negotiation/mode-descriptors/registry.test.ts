import { describe, expect, it } from 'vitest';
import { replay } from '../../decision.js';
import type { JsonObject } from '../../json/json.js';
import { servedModes } from '../modes/registry.js';
import {
  listExtensionModes,
  listModes,
  type ModeCommand,
  type ModeRecord,
  modeRegistry,
} from './registry.js';

const descriptor = (mode: string, change: JsonObject = {}): JsonObject => ({
  mode,
  mode_version: '1',
  message_types: ['Bid', 'Award'],
  terminal_message_types: ['Award'],
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

const BUILT_IN: ReadonlySet<string> = new Set(servedModes().map(({ mode }) => mode));

/** The result of each command in turn, and the modes in the end. */
function tell(...commands: readonly ModeCommand[]) {
  const records: ModeRecord[] = [];
  const results = commands.map((command) => {
    const decision = modeRegistry.decide(replay(modeRegistry, records), command, { now: 1 });
    records.push(...(decision.records ?? []));
    return decision.refused?.code ?? decision.unchanged ?? 'accepted';
  });
  const state = replay(modeRegistry, records);
  const [modes = [], promoted = []] = [listExtensionModes(state), listModes(state)].map((list) =>
    list.map(({ mode }) => mode).filter((mode) => !BUILT_IN.has(mode)),
  );
  return { results, modes, promoted };
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

  it('N-31: are unregistered, or promoted under the same or another name, and then stay', () => {
    const { results, modes, promoted } = tell(
      register('ext.a.v1'),
      register('ext.b.v1'),
      register('ext.c.v1'),
      promote('ext.a.v1', 'ext.z.v1'),
      promote('ext.b.v1', ''),
      promote('ext.b.v1', ''),
      promote('ext.b.v1', 'ext.y.v1'),
      unregister('ext.a.v1'),
      unregister('ext.b.v1'),
      unregister('ext.c.v1'),
    );
    expect(results).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'duplicate',
      'INVALID_ENVELOPE',
      'MODE_NOT_SUPPORTED',
      'INVALID_ENVELOPE',
      'accepted',
    ]);
    expect(modes).toEqual([]);
    expect(promoted).toEqual(['ext.b.v1', 'ext.z.v1']);
  });

  it('N-31: are listed apart from those of MACP', () => {
    const nothing = replay(modeRegistry, []);
    expect(listModes(nothing).every(({ mode }) => mode.startsWith('macp.mode.'))).toBe(true);
    expect(listExtensionModes(nothing).map(({ mode }) => mode)).toEqual(['ext.multi_round.v1']);
  });

  it.each<readonly [string, JsonObject]>([
    ['no messages', { message_types: [] }],
    ['nothing after the start', { message_types: ['SessionStart'], terminal_message_types: [] }],
    ['a message of the runtime', { message_types: ['Award', 'SessionCancel'] }],
    ['a message outside sessions', { message_types: ['Award', 'Signal'] }],
    ['an end that is no message', { terminal_message_types: ['Sold'] }],
    [
      'an end that is the start',
      { message_types: ['SessionStart', 'Bid'], terminal_message_types: ['SessionStart'] },
    ],
    ['a name without a dot', { mode: 'auction' }],
  ])('N-31: are refused if no session could be held in them: %s', (_why, change) => {
    expect(tell(register('ext.a.v1', change)).results).toEqual(['INVALID_ENVELOPE']);
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
      promote('ext.multi_round.v1', ''),
    );
    expect(results).toEqual([
      'INVALID_ENVELOPE',
      'MODE_NOT_SUPPORTED',
      'accepted',
      'accepted',
      'INVALID_ENVELOPE',
      'INVALID_ENVELOPE',
      'MODE_NOT_SUPPORTED',
      'INVALID_ENVELOPE',
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
