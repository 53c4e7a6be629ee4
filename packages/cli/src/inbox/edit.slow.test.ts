import { expect, it } from 'vitest';
import { editInEditor } from './edit.js';

const proposal = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'old' } } };

it('an edit explains invalid JSON, and the next edit starts from it', async () => {
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
