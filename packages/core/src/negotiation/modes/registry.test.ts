import { describe, expect, it } from 'vitest';
import { findMode, modeOf, servedModes } from './registry.js';

describe('the modes that are served', () => {
  it('N-3: are found by name, with the version that is served', () => {
    for (const { mode, mode_version } of servedModes()) {
      expect(findMode(mode)?.descriptor).toMatchObject({ mode, mode_version });
    }
    expect(findMode('macp.mode.auction.v1')).toBeUndefined();
  });

  it('N-12: a session of a mode that this version does not serve is not folded at all', () => {
    expect(() => modeOf({ mode: 'macp.mode.auction.v1' })).toThrow('read the journal with a newer one');
  });
});
