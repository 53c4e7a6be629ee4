import { describe, expect, it } from 'vitest';
import { inboxOf, press, shown } from './testing/keyboard.js';

const proposal = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'old' } } };

describe('an edit', () => {
  it('blocks an approval while it is not JSON, until it is dropped', () => {
    const state = { ...shown(inboxOf('one')), unfinished: new Map([['one', '{']]) };
    const held = press(state, 'a');
    expect(held.effect).toBeUndefined();
    expect(held.state.note?.text).toContain('not JSON yet');
    const dropped = press(held.state, 'escape').state;
    expect(press(dropped, 'a').effect).toMatchObject({ type: 'approve', id: 'one', params: proposal.params });
  });
});
