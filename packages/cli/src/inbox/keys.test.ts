import { expect, it } from 'vitest';
import type { ProposalView } from '../connection/proposal-view.js';
import { pressKey } from './keys.js';
import { EMPTY_INBOX, type InboxState } from './state.js';

const proposal = {
  id: 'one',
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'old' } },
  rejections: {},
} as unknown as ProposalView;

function press(state: InboxState, ...names: readonly string[]): InboxState {
  return names.reduce(
    (before, name) => pressKey(before, { name, text: name }, Number.MAX_SAFE_INTEGER).state,
    state,
  );
}

it('Esc drops what was being typed, and what was said about it', () => {
  const inbox = { ...EMPTY_INBOX, proposals: [proposal], selected: 'one' };
  const wrong = press(inbox, 's', ...Array.from('texxt=new'), 'return');
  expect(wrong.note).toMatchObject({ text: expect.stringContaining('no argument "texxt"'), tone: 'bad' });
  expect(wrong.note?.hints).toEqual(['text=new (did you mean this?)', '+texxt=new (adds it, on purpose)']);
  expect(press(wrong, 'escape')).toEqual(inbox);
});
