import { describe, expect, it } from 'vitest';
import { editInEditor } from './edit.js';
import { inboxOf, press, shown } from './testing/keyboard.js';

const proposal = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'old' } } };

describe('an edit', () => {
  it('explains invalid JSON, and the next edit starts from it', async () => {
    const spoil = `f() { printf '{"text": new}' > "$1"; }; f`;
    const spoilt = await editInEditor(proposal, { params: proposal.params, editor: spoil });
    expect(spoilt).toMatchObject({
      problem: expect.stringMatching(/^The edit is not JSON: .* Press e to keep editing\.$/),
      text: '{"text": new}',
    });
    const text = 'text' in spoilt ? spoilt.text : undefined;
    const mend = `f() { sed 's/new/"new"/' "$1" > "$1.mended" && mv "$1.mended" "$1"; }; f`;
    expect(await editInEditor(proposal, { params: proposal.params, text, editor: mend })).toEqual({
      params: { name: 'echo', arguments: { text: 'new' } },
    });
  });

  it('blocks an approval while it is not JSON, until it is dropped', () => {
    const state = { ...shown(inboxOf('one')), unfinished: new Map([['one', '{']]) };
    const held = press(state, 'a');
    expect(held.effect).toBeUndefined();
    expect(held.state.note?.text).toContain('not JSON yet');
    const dropped = press(held.state, 'escape').state;
    expect(press(dropped, 'a').effect).toMatchObject({ type: 'approve', id: 'one', params: proposal.params });
  });
});
