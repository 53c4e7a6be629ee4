import { describe, expect, it } from 'vitest';
import { checkStreams, type StreamEvent, type StreamHistory } from './check-streams.js';

const OPEN: StreamEvent = { id: 's', type: 'open' };
const frame = (number: number): StreamEvent => ({ id: 's', type: 'frame', number });
const close = (reason: string): StreamEvent => ({ id: 's', type: 'close', reason });

function check(heard: readonly StreamEvent[], more: Partial<StreamHistory> & { stayed?: boolean } = {}) {
  const { stayed = true, sent = 3, isWhole = true } = more;
  const streams = [{ id: 's', sent, isWhole }];
  return checkStreams({ streams, listeners: [{ name: 'ann', heard, stayed }] });
}

describe('stream checks of the nemesis', () => {
  it.each<readonly [string, readonly StreamEvent[]]>([
    ['everything arrived', [OPEN, frame(1), frame(2), frame(3), close('done')]],
    ['it began before a listener connected', [OPEN, frame(2), frame(3), close('done')]],
    ['it was interrupted', [OPEN, frame(1), close('interrupted'), OPEN, frame(3), close('done')]],
    ['its gateway ended', [OPEN, frame(1), close('owner_left')]],
  ])('O-27: report nothing if %s', (_, heard) => {
    expect(check(heard)).toEqual([]);
  });

  it('O-27: report nothing if someone left, or a frame was refused', () => {
    expect(check([OPEN, frame(1)], { stayed: false })).toEqual([]);
    expect(check([OPEN, frame(1), frame(3), close('done')], { isWhole: false })).toEqual([]);
  });

  it.each<readonly [string, readonly StreamEvent[], string]>([
    ['a frame is missing', [OPEN, frame(1), frame(3), close('done')], 'frame 3 came after frame 1'],
    ['the last frame is missing', [OPEN, frame(1), frame(2), close('done')], 'after frame 2 of 3'],
    ['a frame came again', [OPEN, frame(1), frame(1), close('x')], 'frame 1 came after frame 1'],
    [
      'a frame came late',
      [OPEN, frame(2), close('x'), OPEN, frame(1), close('x')],
      'frame 1 came after frame 2',
    ],
    ['a frame came after the close', [OPEN, close('done'), frame(1)], 'frame 1 came while it was closed'],
    ['it was closed twice', [OPEN, close('done'), close('done')], 'a close came while it was closed'],
    ['it was opened twice', [OPEN, OPEN, close('done')], 'it was opened twice'],
    ['it was never closed', [OPEN, frame(1)], 'it was never closed'],
    [
      'it was opened after its end',
      [OPEN, close('done'), OPEN, close('owner_left')],
      'it was opened again after its owner closed it',
    ],
  ])('O-27: report that %s', (_, heard, what) => {
    expect(check(heard)).toEqual([expect.stringContaining(what)]);
  });
});
