import { createHash } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const hash = (token: string) => `sha256:${createHash('sha256').update(token).digest('hex')}`;
const CONFIG = `
spaces: { main: {}, ops: {}, lab: {} }
participants:
  ann: { tokens: ["${hash('token-of-ann')}"], spaces: { main: ["*"] } }
  bob: { tokens: ["${hash('token-of-bob')}"], spaces: { ops: ["*"] } }
  cat: { tokens: ["${hash('token-of-cat')}"], spaces: { ops: ["*"], lab: ["*"] } }
`;

let gateway: Awaited<ReturnType<typeof startOnLoopback>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Readonly<Record<string, string>>;
let file: string;
beforeAll(async () => {
  gateway = await startOnLoopback(CONFIG);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await folder?.[Symbol.asyncDispose]();
  folder = await temporaryFolder();
  env = { XDG_CONFIG_HOME: folder.path, PROFFER_URL: `http://127.0.0.1:${gateway.port}` };
  file = join(folder.path, 'proffer', 'credentials.json');
});

describe('login', () => {
  it('stores a token for its gateway only, readable by its owner only, until logout', async () => {
    const signed = await runHere(['login', '--token', 'token-of-ann'], env);
    expect(signed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`as ann.\n  stored in ${file}`),
    });
    expect(signed.stdout + signed.stderr).not.toContain('token-of-ann');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.path, 'proffer'))).mode & 0o077).toBe(0);
    expect((await runHere(['inbox'], env)).stdout).toContain(
      'Nothing is waiting for a decision in space main',
    );
    // Options and environment variables take precedence.
    expect((await runHere(['inbox', '--token', 'wrong'], env)).code).toBe(1);
    expect((await runHere(['inbox'], { ...env, PROFFER_TOKEN: 'wrong' })).code).toBe(1);
    const other = await runHere(['inbox', '--url', 'https://gateway.example'], env);
    expect(other.stderr).toMatch(/needs a token\.\n {2}→ .*login --url https:\/\/gateway\.example/);
    expect((await runHere(['logout'], env)).stdout).toContain('Signed out of');
    for (const command of [['inbox'], ['negotiate', 'list']]) {
      const { code, stderr } = await runHere(command, env);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^✗ No token was given\./);
      expect(stderr).not.toContain('Bearer');
    }
    expect((await runHere(['logout'], env)).stdout).toContain('There is no stored token');
  });

  it('stores nothing that the gateway does not accept', async () => {
    const refused = await runHere(['login', '--token', 'nobody'], env);
    expect(refused.code).toBe(1);
    await expect(readFile(file)).rejects.toThrow(/ENOENT/);
    expect((await runHere(['login'], env)).stderr).toContain('No token was given.');
    const elsewhere = await runHere(['login', '--token', 'token-of-ann', '--space', 'ops'], env);
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was stored') });
  });

  it("says whose token it replaces, if it was another's", async () => {
    const first = await runHere(['login', '--token', 'token-of-ann'], env);
    const again = await runHere(['login', '--token', 'token-of-ann'], env);
    expect(first.stdout + again.stdout).not.toContain('replaces');
    const other = await runHere(['login', '--token', 'token-of-bob'], env);
    expect(other.stdout).toContain('as bob.\nThis replaces the token of ann.\n');
  });

  it('asks on a terminal without echo', async () => {
    const signed = await runHere(['login'], env, { types: 'token-of-ann\n' });
    expect(signed.stdout).toMatch(/^Token for http:.*: \nSigned in to/);
    expect(signed.stdout).not.toContain('token-of-ann');
  });

  it('tells a token without access to main its spaces, and uses the only one', async () => {
    const refused = await runHere(['inbox', '--token', 'token-of-cat'], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('→ --space ops   # your token allows: ops, lab');
    const several = await runHere(['login', '--token', 'token-of-cat'], env);
    expect(several.stdout).toContain('Your spaces: ops, lab. Name one with --space');
    await runHere(['login', '--token', 'token-of-bob'], env);
    expect((await runHere(['inbox'], env)).stdout).toContain(
      'Nothing is waiting for a decision in space ops',
    );
    // Suggested commands name the space.
    expect((await runHere(['show', 'nothing'], env)).stderr).toContain('proffer inbox --space ops');
  });

  it('ignores tokens that others can read', async () => {
    await runHere(['login', '--token', 'token-of-ann'], env);
    await chmod(file, 0o644);
    const { code, stderr } = await runHere(['inbox'], env);
    expect(code).toBe(2);
    expect(stderr).toContain('others can read it');
    expect(stderr).toContain(`→ chmod 600 ${file}`);
  });
});
