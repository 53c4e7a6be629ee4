import { describe, expect, it } from 'vitest';
import { refusalOf, valueOf } from '../auth/testing/expecting.js';
import { createConnectionLimiter } from './connections.js';

describe('connections', () => {
  it('are limited per token; a closed one makes room for another', () => {
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

  it('a connection closed twice is counted out once', () => {
    const connections = createConnectionLimiter(2);
    const close = valueOf(connections.open('a'));
    valueOf(connections.open('a'));
    close();
    close();
    expect(connections.count('a')).toBe(1);
  });

  it('I-7: a client that is disconnected repeatedly is not let in, however many connections it may have', () => {
    const connections = createConnectionLimiter(1_000);
    for (let count = 0; count < 8; count++) valueOf(connections.open('vandal'))('thrown out');
    expect(refusalOf(connections.open('vandal'))).toMatchObject({
      code: 'too_many_connections',
      details: { limit: 8, period_ms: 10_000 },
    });
    expect(connections.count('vandal')).toBe(8);
    valueOf(connections.open('agent'));
  });

  it('I-7: a client that keeps opening and closing connections is not let in for a moment', () => {
    const connections = createConnectionLimiter(1_000);
    for (let count = 0; count < 100; count++) valueOf(connections.open('restless'))('closed');
    expect(refusalOf(connections.open('restless'))).toMatchObject({
      code: 'too_many_connections',
      details: { limit: 100, open: 0, period_ms: 1_000 },
    });
    valueOf(connections.open('agent'));
  });

  it('without a handshake may come and go at any rate', () => {
    const connections = createConnectionLimiter(2);
    for (let count = 0; count < 1_000; count++) valueOf(connections.open('agent'))();
    expect(connections.count('agent')).toBe(0);
  });
});
