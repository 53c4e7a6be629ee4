import { describe, expect, it } from 'vitest';
import { runHere } from '../testing/in-process.js';

it.each(['user:S3CRET@host:8080', 'http://user:S3CRET@127.0.0.1:9', 'S3CRET@host', 'wss://S3CRET@host/ws'])(
  'rejects an address with a user name or a password without repeating it: %s',
  async (url) => {
    const { code, stdout, stderr } = await runHere(['inbox', '--url', url]);
    expect(code).toBe(2);
    expect(stderr).toContain('must not contain a user name or password');
    expect(stderr).toContain('PROFFER_TOKEN=');
    expect(stdout + stderr).not.toContain('S3CRET');
  },
);

describe('invalid address', () => {
  it.each(['sk_live_SECRET', 'ftp://host/SECRET', 'SECRET:7420', 'host.example/SECRET', 'http://'])(
    'is rejected without repeating it: %s',
    async (url) => {
      for (const said of [
        await runHere(['inbox', '--url', url, '--json']),
        await runHere(['inbox'], { PROFFER_URL: url }),
      ]) {
        expect(said.code).toBe(2);
        expect((said.stdout + said.stderr).toLowerCase()).not.toContain('secret');
      }
    },
  );

  it.each([
    ['localhost:7420', 'http://localhost:7420'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['gateway.example/secret', 'https://gateway.example'],
    ['sk_live_SECRET', 'http://127.0.0.1:7420'],
  ])('is suggested by its host: %s', async (url, suggested) => {
    const { stderr } = await runHere(['inbox', '--url', url]);
    expect(stderr).toContain(`--url ${suggested}\n`);
  });
});
