import { describe, expect, it } from 'vitest';
import { checkForwarding } from './forwarding.js';

const FORWARDING = { forwardAuthorization: true, http: 0, serverUrl: 'https://example.com/mcp' };

describe('--forward-authorization', () => {
  it('needs a server at an address, and HTTP clients', () => {
    expect(() => checkForwarding(FORWARDING)).not.toThrow();
    expect(() => checkForwarding({ forwardAuthorization: true, http: 0 })).toThrow(
      /needs --http and --server-url/,
    );
    expect(() => checkForwarding({ forwardAuthorization: true, serverUrl: 'https://example.com' })).toThrow(
      /needs --http and --server-url/,
    );
  });

  it('cannot be combined with a guard token, nor with another token for the server', () => {
    expect(() => checkForwarding({ ...FORWARDING, httpToken: ['secret'] })).toThrow(
      /must not reach the server/,
    );
    expect(() => checkForwarding({ ...FORWARDING, header: ['Authorization=Bearer x'] })).toThrow(
      /one or the other/,
    );
    expect(() => checkForwarding({ ...FORWARDING, header: ['x-project=7'] })).not.toThrow();
  });
});
