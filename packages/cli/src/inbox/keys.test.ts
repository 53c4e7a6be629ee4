import { LOOK_FIRST } from '@proffer/core/gesture';
import { describe, expect, it } from 'vitest';
import { pressKey } from './keys.js';
import { withProposals, withShown } from './state.js';
import { inboxOf, press, proposalOf, shown } from './testing/keyboard.js';

describe('key', () => {
  it('Esc drops the typed line and the note about it', () => {
    const inbox = inboxOf('one');
    const wrong = press(inbox, 's', ...Array.from('texxt=new'), 'return').state;
    expect(wrong.note).toMatchObject({ text: expect.stringContaining('no argument "texxt"'), tone: 'bad' });
    expect(wrong.note?.hints).toEqual(['text=new (did you mean this?)', '+texxt=new (adds it anyway)']);
    expect(press(wrong, 'escape').state).toEqual(inbox);
  });

  it('reports an unknown key, and the next key clears the note', () => {
    const unknown = press(inboxOf('one'), 'x').state;
    expect(unknown.note?.text).toBe('Unknown key. Press ? for help.');
    expect(press(unknown, 'up').state.note).toBeUndefined();
  });

  it('? opens the help, and any key closes it', () => {
    const inbox = shown(inboxOf('one'));
    const open = press(inbox, '?').state;
    expect(open.isHelpOpen).toBe(true);
    expect(press(open, 'a')).toEqual({ state: inbox });
  });

  it('Home and End, g and G go to the first and the last', () => {
    const inbox = inboxOf('one', 'two', 'three');
    expect(press(inbox, 'end').state.selected).toBe('three');
    expect(press(inbox, 'G').state.selected).toBe('three');
    expect(press(inbox, 'end', 'home').state.selected).toBe('one');
    expect(press(inbox, 'G', 'g').state.selected).toBe('one');
  });

  it('/ filters while typing; Enter keeps the filter, Esc clears it', () => {
    const inbox = { ...inboxOf('one', 'two', 'three'), selected: 'two' };
    const found = press(inbox, '/', ...Array.from('THR'), 'return').state;
    expect(found).toMatchObject({ search: 'THR', selected: 'three' });
    expect(press(found, 'home').state.selected).toBe('three');
    expect(press(found, 'escape').state).toMatchObject({ search: '', selected: 'three' });
    // What is not listed cannot be decided.
    expect(press(found, '/', 'x', 'return', 'a').effect).toBeUndefined();
  });
});

describe('staged changes', () => {
  it('O-13: are still there when the cursor comes back, and are what is approved', () => {
    const inbox = inboxOf('one', 'two');
    const staged = press(inbox, 's', ...Array.from('text=new'), 'return', 'down', 'up').state;
    expect(press(shown(staged), 'a').effect).toMatchObject({
      id: 'one',
      params: { arguments: { text: 'new' } },
    });
    const other = shown(press(staged, 'down').state);
    expect(press(other, 'a').effect).toMatchObject({ id: 'two', params: { arguments: { text: 'old' } } });
    const dropped = shown(press(staged, 'escape').state);
    expect(press(dropped, 'a').effect).toMatchObject({ params: { arguments: { text: 'old' } } });
  });

  it('are dropped when their proposal is closed', () => {
    const staged = press(inboxOf('one', 'two'), 's', ...Array.from('text=new'), 'return', 'down').state;
    const left = withProposals(staged, [proposalOf('two')], 0);
    expect(left.drafts.size).toBe(0);
    expect(left.selected).toBe('two');
  });
});

describe('approval', () => {
  it('needs half a second on the proposal that the reader moved to', () => {
    const inbox = shown(inboxOf('one', 'two'));
    const moved = shown(pressKey(inbox, { name: 'down', text: '' }, 10_000).state);
    const early = pressKey(moved, { name: 'a', text: 'a' }, 10_150);
    expect(early.effect).toBeUndefined();
    expect(early.state.note?.text).toContain('look first');
    expect(pressKey(moved, { name: 'a', text: 'a' }, 10_000 + LOOK_FIRST).effect).toMatchObject({
      id: 'two',
    });
  });

  const lines = (from: number, to: number) => ({ from, to, total: 30, page: 10, width: 80 });

  it('requires that the whole call has been on the screen', () => {
    const begun = withShown(inboxOf('one'), lines(0, 10));
    const refused = press(begun, 'a');
    expect(refused.effect).toBeUndefined();
    expect(refused.state.note?.text).toContain('20 lines of this call have not been shown');
    // Seeing the end alone is not enough, nor is what was read before it was changed or redrawn.
    expect(press(withShown(begun, lines(20, 30)), 'a').effect).toBeUndefined();
    const read = withShown(withShown(begun, lines(10, 20)), lines(20, 30));
    expect(press(read, 'a').effect).toMatchObject({ type: 'approve' });
    expect(press(withShown(read, { ...lines(20, 30), width: 81 }), 'a').effect).toBeUndefined();
    expect(press(read, 's', ...Array.from('text=new'), 'return', 'a').effect).toBeUndefined();
    expect(press(begun, 'r', 'n', 'o', 'return').effect).toMatchObject({ type: 'reject' });
  });

  it('Space pages through every line', () => {
    let state = withShown(inboxOf('one'), lines(0, 10));
    for (let presses = 0; presses < 3; presses++) {
      state = press(state, 'space').state;
      state = withShown(state, lines(state.scroll, state.scroll + 10));
    }
    expect(press(state, 'a').effect).toMatchObject({ type: 'approve' });
  });

  it('is ignored within half a second of a change under the cursor', () => {
    const before = shown(inboxOf('one'));
    const said = proposalOf('one', { version: 2, statuses: { other: { status: 'unable', at: 0 } } });
    const after = withProposals(before, [said], 10_000);
    const key = { name: 'a', text: 'a' };
    expect(pressKey(after, key, 10_000 + LOOK_FIRST - 1).effect).toBeUndefined();
    expect(pressKey(after, key, 10_000 + LOOK_FIRST).effect).toMatchObject({ type: 'approve' });
    // Nothing changed, so there is nothing to wait for.
    expect(pressKey(withProposals(before, before.proposals, 10_000), key, 10_000).effect).toBeDefined();
  });
});

describe('alternatives to a rejection', () => {
  it('O-40: c offers the staged changes, once there are some and a reason', () => {
    const inbox = inboxOf('one');
    expect(press(inbox, 'c').state.note?.text).toContain('First change what you would approve');
    const staged = press(inbox, 's', ...Array.from('text=new'), 'return').state;
    expect(press(staged, 'c', 'return').state.note?.text).toBe('An offer needs a reason. Esc cancels it.');
    expect(press(staged, 'c', ...Array.from('safer'), 'return').effect).toMatchObject({
      type: 'counter',
      id: 'one',
      reason: 'safer',
      params: { arguments: { text: 'new' } },
    });
  });

  it('O-41: h asks for how long, then allows later calls, and decides nothing about this one', () => {
    expect(press(shown(inboxOf('one')), 'h', '2').effect).toMatchObject({
      type: 'allow',
      id: 'one',
      allowance: { bounds: { uses: 5 } },
    });
    expect(press(shown(inboxOf('one')), 'h', '2').state.deciding).toBeUndefined();
    // There is no session to allow.
    const asking = press(shown(inboxOf('one')), 'h', '3');
    expect(asking).toMatchObject({ state: { prompt: { purpose: 'allow' } } });
    expect(asking.effect).toBeUndefined();
    const unread = press(inboxOf('one'), 'h');
    expect(unread.effect?.type).toBe(press(inboxOf('one'), 'a').effect === undefined ? undefined : 'allow');
  });
});
