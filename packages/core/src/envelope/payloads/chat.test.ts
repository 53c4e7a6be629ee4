import { describe, expect, it } from 'vitest';
import { accepted, message } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

describe('a chat message', () => {
  it('O-1: has a text and may have a format', () => {
    expect(accepted(message('chat.message', { text: '' })).payload).toStrictEqual({ text: '' });
    const payload = { text: '*hello*', format: 'markdown' };
    expect(accepted(message('chat.message', payload)).payload).toStrictEqual(payload);
  });

  itRefuses([
    ['O-5: no text', message('chat.message', {}), 'missing_field', 'payload.text'],
    ['O-5: a text in parts', message('chat.message', { text: ['a'] }), 'invalid_field', 'payload.text'],
    [
      'O-5: an unknown format',
      message('chat.message', { text: '', format: 'html' }),
      'invalid_field',
      'payload.format',
    ],
  ]);
});
