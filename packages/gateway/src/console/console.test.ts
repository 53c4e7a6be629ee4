import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LoopbackGateway, startOnLoopback } from '../loopback.js';
import { createToken } from '../token.js';

/** A gateway with a small test console. */
async function startWithPages(yaml?: string): Promise<LoopbackGateway & { readonly http: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(join(folder, 'assets/main-1a2b.js'), `console.log(${JSON.stringify('x'.repeat(2_000))})`);
  await writeFile(join(folder, '.secret'), 'not for serving');
  const started = await startOnLoopback(yaml, { console: folder });
  await rm(folder, { recursive: true });
  return { ...started, http: `http://127.0.0.1:${started.port}` };
}

describe('console', () => {
  it('is where / redirects, served from memory, under a strict content policy', async () => {
    await using gateway = await startWithPages();
    const root = await fetch(`${gateway.http}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/console/']);
    const page = await fetch(`${gateway.http}/console/main/inbox/p-1.txt`);
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html><title>Console</title>']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-cache');
  });

  it('lets browsers cache hashed files, and revalidates the page', async () => {
    await using gateway = await startWithPages();
    const script = await fetch(`${gateway.http}/console/assets/main-1a2b.js`);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(script.headers.get('content-encoding')).toBe('gzip');
    const page = await fetch(`${gateway.http}/console/`);
    const etag = page.headers.get('etag') ?? '';
    const again = await fetch(`${gateway.http}/console/`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect((await fetch(`${gateway.http}/console/assets/other.js`)).status).toBe(404);
  });

  it.each(['/console/.secret', '/console/../.secret', '/console/%2e%2e/.secret', '/console/..%2f.secret'])(
    'serves no file for %s',
    async (path) => {
      await using gateway = await startWithPages();
      const answer = await fetch(`${gateway.http}${path}`);
      expect(await answer.text()).not.toContain('not for serving');
    },
  );

  it('is read-only: GET and HEAD', async () => {
    await using gateway = await startWithPages();
    expect((await fetch(`${gateway.http}/console/`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${gateway.http}/console/`, { method: 'POST' })).status).toBe(404);
  });

  it('says how to sign in: names in dev mode, and only a token elsewhere', async () => {
    await using dev = await startWithPages();
    const offered = await (await fetch(`${dev.http}/sign-in`)).json();
    expect(offered).toMatchObject({
      methods: [{ type: 'name', names: expect.arrayContaining(['reviewer']) }, { type: 'token' }],
    });
    await using other = await startWithPages(
      `spaces: { main: {} }\nparticipants: { ada: { tokens: ["${createToken().hash}"], spaces: { main: ["*"] } } }`,
    );
    expect(await (await fetch(`${other.http}/sign-in`)).json()).toEqual({ methods: [{ type: 'token' }] });
  });
});
