import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@proffer/client';
import { createHttpClient } from '@proffer/client/http';
import { formatVerifierKey } from '@proffer/evidence';
import { evidencePage, formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { type LoopbackGateway, startOnLoopback } from '@proffer/gateway';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { launchBrowser } from './testing/browser.js';

const log = makeSignerKey('proffer.example/log');
const MARKUP = '<img src=x onerror="document.title=1"></script><script>document.title="owned"</script>\u202e';

let folder = '';
let gateway: LoopbackGateway;
let browser: Browser;
let text = '';
/** Errors in pages, violations of their content policy, and requests. */
const complaints: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proffer-evidence-'));
  const key = join(folder, 'log.key');
  await writeFile(key, `${formatSignerKey(log)}\n`, { mode: 0o600 });
  const yaml = `dev: true
evidence: { key: ${JSON.stringify(key)} }
spaces: { main: { review: [{ name: payments, call: 'mcp.request.tools/call:pay', approvals: 2 }] } }`;
  [browser, gateway] = await Promise.all([
    launchBrowser(),
    startOnLoopback(yaml, { folder: join(folder, 'data') }),
  ]);
  const url = `http://127.0.0.1:${gateway.port}`;
  await using tools = await connect({ url, space: 'main', token: 'tools' });
  const description = `Pays. ${MARKUP}`;
  await tools.serve([{ name: 'pay', description, inputSchema: { type: 'object' }, handler: () => 'paid' }]);
  await using agent = await connect({ url, space: 'main', token: 'agent' });
  const params = { name: 'pay', arguments: { amount: 100, note: MARKUP } };
  const call = agent.propose('tools/call', params, { id: 'p-1' });
  await call.accepted;
  for (const token of ['reviewer', 'human']) {
    await using approver = await connect({ url, space: 'main', token });
    await approver.approve({ id: 'p-1', method: 'tools/call', params });
  }
  await call;
  const reader = createHttpClient({ url, space: 'main', token: 'reviewer' });
  text = JSON.stringify(await reader.evidence({ proposal: 'p-1' }));
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
});

/** Opens a page with an evidence file from the disk, in a browser without a network. */
async function open(file: string, options: BrowserContextOptions = {}): Promise<Page> {
  const path = join(folder, 'evidence.html');
  await writeFile(path, await evidencePage(file));
  const context = await browser.newContext({ offline: true, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  await page.locator('.verdict').waitFor();
  return page;
}

const changed = (from: string, to: string): string => {
  const envelope = JSON.parse(text) as { payload: string };
  const payload = Buffer.from(envelope.payload, 'base64').toString();
  expect(payload).toContain(from);
  return JSON.stringify({
    ...envelope,
    payload: Buffer.from(payload.replaceAll(from, to)).toString('base64'),
  });
};

describe('the page of an evidence file', () => {
  it.each<readonly [string, BrowserContextOptions]>([
    ['wide', { viewport: { width: 1280, height: 900 } }],
    ['wide-dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ['phone-on-its-side', { viewport: { width: 844, height: 390 } }],
  ])('I-10: shows and checks itself without a network (%s)', async (_, options) => {
    const page = await open(text, options);
    const shown = await page.locator('main').innerText();
    expect(shown).toContain('Who signed it is not proved');
    expect(shown).toContain(
      'signed with a key that only this file names. Get that key from elsewhere, and paste it into the field above.',
    );
    await page.getByLabel('Keys of the log').fill(formatVerifierKey(log.verifier));
    await page.getByRole('button', { name: 'Check with these' }).click();
    const verdict = page.getByRole('status').getByText('the keys that you gave signed it');
    await verdict.waitFor();
    // It is what the reader waits for: nobody has to scroll to it.
    const { y = -1 } = (await verdict.boundingBox()) ?? {};
    expect(y >= 0 && y < (options.viewport?.height ?? 0)).toBe(true);
    const checked = await page.locator('main').innerText();
    expect(checked).toMatch(/Your keys[^]*Proved[^]*The file is as proffer\.example\/log made and signed it/);
    expect(checked).toMatch(/What happened[^]*Proposed call: pay[^]*"amount": 100[^]*payments: 2 approvals/);
    expect(checked).toMatch(/reviewer[^]*approved[^]*human[^]*approved/);
    expect(checked).toContain('tools announced');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('shows what participants wrote as text, and lets nothing run', async () => {
    const page = await open(text);
    expect(await page.title()).toBe('main/proposal/p-1: done');
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toContain('\u202e');
    const policy = (await page.locator('meta[http-equiv]').getAttribute('content')) ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+';/);
  });

  it.each<readonly [string, () => string, string]>([
    ['a changed amount', () => changed('"amount":100', '"amount":900'), 'was changed after it was sealed'],
    [
      'another approver',
      () => changed('"principal":"human"', '"principal":"eve"'),
      'was changed after it was sealed',
    ],
    [
      'another state',
      () => changed('"state":"done"', '"state":"rejected"'),
      'The summary is not what the records say',
    ],
    [
      'a file signed for something else',
      () => changed('"version":"', '"version":"1'),
      'over the file is false',
    ],
  ])('I-10: says plainly what is wrong with %s', async (_, make, sentence) => {
    const page = await open(make());
    await page.getByText('This file is not what it claims to be').waitFor();
    const shown = await page.locator('main').innerText();
    expect(shown).toContain(sentence);
    expect(shown).not.toMatch(/^Proved$|What happened/m);
  });

  it('says that it is no evidence file, and that what was pasted is no key', async () => {
    const odd = await open('{}');
    await odd.getByText('It is not a DSSE envelope').waitFor();
    const page = await open(text);
    await page.getByLabel('Keys of the log').fill('hello');
    await page.getByRole('button', { name: 'Check with these' }).click();
    await page.getByRole('alert').getByText('This is neither a key nor a checkpoint: hello').waitFor();
    expect(await page.locator('main').innerText()).toMatch(/Who signed it is not proved[^]*What happened/);
    expect(await barriersOn(page)).toEqual([]);
    await page.getByLabel('Keys of the log').fill(formatVerifierKey(makeSignerKey('other.example').verifier));
    await page.getByRole('button', { name: 'Check with these' }).click();
    await page.getByText('None of the keys that you have (other.example) signed').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
