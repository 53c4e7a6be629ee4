import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { launchBrowser } from './testing/browser.js';
import { type GatewayProcess, startGatewayProcess } from './testing/gateway-process.js';
import { handClock, readAll } from './testing/house.js';

const SECRET = `whsec_${btoa('a secret that is 24 long')}`;
const LONG = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n');

/** Everything that was posted to the reviewer's webhook, newest last. */
const links: string[] = [];
const receiver = createServer(async (request, response) => {
  const { data } = JSON.parse(await text(request)) as { data: { proposals: { link: string }[] } };
  links.push(...data.proposals.map(({ link }) => link));
  response.end();
});
let gateway: GatewayProcess;
let browser: Browser;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const yaml = `dev: true
notify:
  links: bearer
  channels: { hook: { type: webhook, url: "${url}", secrets: ["${SECRET}"] } }
  participants: { reviewer: [{ channel: hook, digest: 0s, updates: false }] }
`;
  [gateway, browser] = await Promise.all([startGatewayProcess(yaml), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
});

/** Proposes something, and opens the link that is sent to the reviewer. */
async function open(given: JsonObject, options: BrowserContextOptions = {}) {
  const agent = await connect({ url: gateway.url, token: 'agent', space: 'main' });
  const before = links.length;
  const proposal = agent.propose('tools/call', { name: 'echo', arguments: given }, { reason: 'to see it' });
  const outcome = proposal.then(
    (value) => value,
    (error: unknown) => error,
  );
  void outcome.then(() => agent.close());
  await expect.poll(() => links.length).toBe(before + 1);
  const link = links.at(-1) ?? '';
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage();
  page.setDefaultTimeout(20_000);
  await handClock(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await page.goto(link);
  return { page, link, outcome, asked, again: () => visit(link) };
}

async function visit(link: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await handClock(page);
  await page.goto(link);
  return page;
}

describe('page of a link that decides', () => {
  it('shows the whole card, approves it once by keyboard, and does not leak the key', async () => {
    const { page, link, outcome, asked, again } = await open({ text: LONG });
    await page.getByRole('heading', { name: 'agent wants to run echo' }).waitFor();
    await page.getByText('to see it').waitFor();
    await page.getByText('You are deciding as reviewer').waitFor();
    const key = new URL(link).hash.slice('#decide='.length);
    expect(page.url()).toBe(`${gateway.url}/console/`);
    // What was not visible cannot be approved.
    const approve = page.getByRole('button', { name: 'Approve' });
    await page.getByText(/Scroll to the end to approve/).waitFor();
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    expect(await barriersOn(page)).toEqual([]);
    await readAll(page);
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    expect(await outcome).toMatchObject({ content: [{ text: LONG }] });
    expect(asked.join('\n')).not.toContain(key);

    const second = await again();
    await second.getByRole('heading', { name: 'This link has already been used' }).waitFor();
    await second.getByRole('link', { name: 'See it in the console' }).click();
    await second.getByRole('button', { name: 'reviewer' }).waitFor();
    expect(second.url()).toContain('/console/main/proposals/');
  }, 60_000);

  it('rejects with a reason, on a phone in the dark theme', async () => {
    const { page, outcome } = await open(
      { text: 'no' },
      { viewport: { width: 360, height: 640 }, colorScheme: 'dark' },
    );
    await readAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('button', { name: /^Reject/ }).click();
    await page.getByRole('button', { name: /unsafe/i }).click();
    await page.getByRole('heading', { name: 'Rejected' }).waitFor();
    expect(await outcome).toMatchObject({ rejections: [{ by: 'reviewer', reason: 'unsafe' }] });
  }, 60_000);

  it('shows the outcome if someone else was first, and reports an invalid link', async () => {
    const { page, again } = await open({ text: 'first' });
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    const other = await again();
    await other.getByText('This approval covers exactly').waitFor();
    await other.keyboard.press('a');
    await other.getByRole('heading', { name: 'Approved' }).waitFor();
    await page.getByText('This approval covers exactly').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'This link has already been used' }).waitFor();
    const none = await visit(`${gateway.url}/console/#decide=nonsense`);
    await none.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(await barriersOn(none)).toEqual([]);
  }, 60_000);
});
