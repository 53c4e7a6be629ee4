import { describe, expect, it } from 'vitest';
import { refuseUnencrypted } from './connect.js';

describe('I-4, I-9: servers that others could use or read', () => {
  it.each([
    [['nats://127.0.0.1:4222', 'nats://localhost:4222', 'nats://[::1]:4222', '127.8.8.8'], {}, true],
    [['tls://n1:4222', 'tls://n2'], {}, true],
    [['nats://n1:4222'], { tls: { ca: 'ca.pem' } }, true],
    [['nats://n1:4222'], { allowInsecure: true }, true],
    [['nats://n1:4222'], {}, false],
    [['tls://n1:4222', 'nats://n2:4222'], {}, false],
    [['n1:4222'], {}, false],
    [['nats://127.0.0.1.example.com:4222'], {}, false],
    [['nats://localhost.example.com:4222'], {}, false],
  ])('%j with %j may be connected to: %s', (servers, others, isAllowed) => {
    const refusal = refuseUnencrypted({ servers, ...others });
    expect(refusal === undefined).toBe(isAllowed);
    if (refusal !== undefined) expect(refusal).toMatchObject({ code: 'insecure_nats' });
  });
});
