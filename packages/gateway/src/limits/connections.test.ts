import { describe, expect, it } from 'vitest';
import { refusalOf, valueOf } from '../auth/testing/expecting.js';
import { createConnectionLimiter } from './connections.js';

describe('connections', () => {
  it('one token has so many and no more; a closed one makes room for another', () => {
    const connections = createConnectionLimiter(2);
    const close = valueOf(connections.open('token:a#1'));
    valueOf(connections.open('token:a#1'));
    expect(refusalOf(connections.open('token:a#1'))).toMatchObject({
      code: 'too_many_connections',
      details: { limit: 2, open: 2 },
    });
    valueOf(connections.open('token:b#1'));
    close();
    valueOf(connections.open('token:a#1'));
    expect(connections.open('token:a#1').ok).toBe(false);
  });

  it('a connection that is closed twice is counted out once', () => {
    const connections = createConnectionLimiter(2);
    const close = valueOf(connections.open('a'));
    valueOf(connections.open('a'));
    close();
    close();
    expect(connections.count('a')).toBe(1);
  });
});
