import { describe, expect, it } from 'vitest';
import { findMode, modeOf, servedModes } from './registry.js';

describe('the supported modes', () => {
  it('N-3: are found by name, with their version', () => {
    for (const { mode, mode_version } of servedModes()) {
      expect(findMode(mode)?.descriptor).toMatchObject({ mode, mode_version });
    }
    expect(findMode('macp.mode.auction.v1')).toBeUndefined();
  });

  it('N-12: a session of an unknown mode is not folded at all', () => {
    expect(() => modeOf({ mode: 'macp.mode.auction.v1' })).toThrow('read the journal with a newer one');
  });
});
