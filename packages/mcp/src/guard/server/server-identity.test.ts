import { describe, expect, it } from 'vitest';
import { identityOfCommand, identityOfUrl } from './server-name.js';

describe('server identity', () => {
  it('consists of its command, its arguments and its working folder', () => {
    const one = identityOfCommand(['npx', 'files', '/a'], '/home');
    expect(identityOfCommand(['npx', 'files', '/a'], '/home')).toBe(one);
    expect(identityOfCommand(['npx', 'files', '/b'], '/home')).not.toBe(one);
    expect(identityOfCommand(['npx', 'files /a'], '/home')).not.toBe(one);
    expect(identityOfCommand(['npx', 'files', '/a'], '/work')).not.toBe(one);
  });

  it('is its address, whoever uses it', () => {
    const one = identityOfUrl(new URL('https://example.com/mcp?project=1'));
    expect(identityOfUrl(new URL('https://me:secret@example.com/mcp?project=1#top'))).toBe(one);
    expect(identityOfUrl(new URL('https://example.com/mcp?project=2'))).not.toBe(one);
    expect(identityOfUrl(new URL('https://example.com/other?project=1'))).not.toBe(one);
  });
});
