import { expect, it } from 'vitest';
import { runHere } from '../testing/in-process.js';

it.each(['user:S3CRET@host:8080', 'http://user:S3CRET@127.0.0.1:9', 'S3CRET@host', 'wss://S3CRET@host/ws'])(
  'an address with a user name or a password is refused, and not repeated: %s',
  async (url) => {
    const { code, stdout, stderr } = await runHere(['inbox', '--url', url]);
    expect(code).toBe(2);
    expect(stderr).toContain('holds a user name or a password');
    expect(stderr).toContain('PROFFER_TOKEN=');
    expect(stdout + stderr).not.toContain('S3CRET');
  },
);
