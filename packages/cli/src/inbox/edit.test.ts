import { describe, expect, it } from 'vitest';
import type { ProposalView } from '../connection/proposal-view.js';
import { editInEditor } from './edit.js';
import { pressKey } from './keys.js';
import { EMPTY_INBOX } from './state.js';

const proposal = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'old' } } };

describe('an edit', () => {
  it('that is not JSON is explained, and the next one begins with what was left', async () => {
    const spoil = `f() { printf '{"text": new}' > "$1"; }; f`;
    const spoilt = await editInEditor(proposal, { params: proposal.params, editor: spoil });
    expect(spoilt).toMatchObject({
      problem: expect.stringMatching(/^The edit is not JSON: .* Press e to go on editing\.$/),
      text: '{"text": new}',
    });
    const text = 'text' in spoilt ? spoilt.text : undefined;
    const mend = `f() { sed 's/new/"new"/' "$1" > "$1.mended" && mv "$1.mended" "$1"; }; f`;
    expect(await editInEditor(proposal, { params: proposal.params, text, editor: mend })).toEqual({
      params: { name: 'echo', arguments: { text: 'new' } },
    });
  });

  it('that is not JSON yet is in the way of an approval, until it is dropped', () => {
    const pending = { ...proposal, id: 'one' } as unknown as ProposalView;
    const state = {
      ...EMPTY_INBOX,
      proposals: [pending],
      selected: 'one',
      unfinished: { id: 'one', text: '{' },
    };
    const press = (name: string, before: typeof EMPTY_INBOX) =>
      pressKey(before, { name, text: name }, Number.MAX_SAFE_INTEGER);
    const held = press('a', state);
    expect(held.effect).toBeUndefined();
    expect(held.state.note?.text).toContain('not JSON yet');
    const dropped = press('escape', held.state).state;
    expect(press('a', dropped).effect).toMatchObject({ type: 'approve', id: 'one', params: proposal.params });
  });
});
