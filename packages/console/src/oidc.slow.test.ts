import { startOnLoopback } from '@proffer/gateway';
import { freePorts } from '@proffer/journal/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_FOLDER } from './index.js';
import { launchBrowser } from './testing/browser.js';
import { type Issuer, startIssuer } from './testing/issuer.js';

const AUDIENCE = 'urn:proffer';

let browser: Browser;
let issuer: Issuer;
let gateway: Awaited<ReturnType<typeof startOnLoopback>>;
let origin = '';
/** Hosts that the console's pages requested. */
const asked = new Set<string>();

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  origin = `http://127.0.0.1:${port}`;
  issuer = await startIssuer({
    redirect: `${origin}/console/`,
    audience: AUDIENCE,
    lifetime: 34,
    claims: (name) => (name === 'carol' ? { groups: ['staff', 'reviewers'] } : {}),
  });
  const yaml = `
spaces: { main: {} }
participants: { alice: { spaces: { main: ["*"] } } }
jwt:
  issuer: ${issuer.url}
  audience: [${AUDIENCE}]
  jwks_url: ${issuer.url}/jwks
  unlisted_subjects: { claims: [{ claim: groups, has: reviewers, spaces: { main: ["*"] } }] }
console: { oidc: { client_id: proffer-console, resource: "${AUDIENCE}" } }
`;
  gateway = await startOnLoopback(yaml, { port, console: CONSOLE_FOLDER });
  browser = await launchBrowser();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
  await issuer?.[Symbol.asyncDispose]();
});

/** Signs in at the issuer's page. */
async function signIn(name: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('request', (request) => {
    const { host } = new URL(request.url());
    if (request.frame().url().startsWith(origin)) asked.add(host);
  });
  await page.goto(`${origin}/console/main/history`);
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('x');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  return page;
}

describe('signing in with OpenID Connect', () => {
  it('returns to the original page, with no secrets in the URL, and renews the token', async () => {
    const page = await signIn('alice');
    await page.getByText('alice', { exact: true }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/main/history');
    expect(new URL(page.url()).search).toBe('');
    const first = await page.evaluate<string>("sessionStorage.getItem('proffer.token')");
    const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(kept).not.toContain('refresh');
    expect(await page.evaluate('document.cookie')).toBe('');
    // It lasts 34 seconds and is renewed half a minute before it expires.
    const token = () => page.evaluate<string>("sessionStorage.getItem('proffer.token')");
    await expect.poll(token, { timeout: 30_000 }).not.toBe(first);
    expect(issuer.renewals()).toBeGreaterThan(0);
    expect([...asked].sort()).toEqual([new URL(origin).host, new URL(issuer.url).host].sort());
    await page.context().close();
  }, 60_000);

  it('gives users who are not in the configuration the rights from their claims', async () => {
    const page = await signIn('carol');
    await page.getByText('carol', { exact: true }).first().waitFor();
    await page.context().close();
  }, 60_000);

  it('tells users who have no rights here', async () => {
    const page = await signIn('mallory');
    await page.getByText('the configuration gives it no space').waitFor();
    await page.context().close();
  }, 60_000);
});
