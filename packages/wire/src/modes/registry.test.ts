import { servedModes } from '@proffer/core/negotiation';
import { expect, it } from 'vitest';
import { MODES } from './registry.js';

it('N-12: every supported mode has all its messages on the wire', () => {
  const common = new Set(['SessionStart', 'Commitment']);
  for (const { mode, message_types } of servedModes()) {
    const own = message_types.filter((type) => !common.has(type));
    expect([...(MODES.get(mode)?.payloads.keys() ?? [])]).toEqual(own);
  }
});
