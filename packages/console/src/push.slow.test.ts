import { createECDH } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { launchBrowser } from './testing/browser.js';
import { type GatewayProcess, startGatewayProcess } from './testing/gateway-process.js';

let gateway: GatewayProcess;
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  const yaml = `dev: true
notify:
  push: { services: ["http://127.0.0.1:9"] }
  channels: { hook: { type: webhook, url: "http://127.0.0.1:9/", secrets: ["whsec_${btoa('a secret that is 24 long')}"] } }
  participants: { reviewer: [{ channel: hook, digest: 0s }] }
`;
  [gateway, browser] = await Promise.all([startGatewayProcess(yaml), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
});

const KEY = createECDH('prime256v1').generateKeys('base64url');

/**
 * The test browser has neither notifications nor a push service: these two are stand-ins. Everything else is
 * real: the worker, its registration under the page's policy, and the message that wakes it.
 */
const STAND_INS = `
Object.defineProperty(Notification, 'permission', { get: () => window.answered ?? 'default' });
Notification.requestPermission = async () => (window.answered = 'granted');
const subscription = {
  options: {},
  toJSON: () => ({ endpoint: 'http://127.0.0.1:9/device', keys: { p256dh: '${KEY}', auth: '${'A'.repeat(22)}' } }),
};
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async () => subscription;
`;

async function enter(who: string, { standIns = true } = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  if (standIns) await context.addInitScript(STAND_INS);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${gateway.url}/console/main/inbox`);
  await page.getByRole('button', { name: who }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}

/** Delivers a message to the worker, as the browser does for a push. */
async function deliver(page: Page, payload: object): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: gateway.url,
    registrationId: await found,
    data: JSON.stringify(payload),
  });
  await devtools.detach();
}

describe('notifications', () => {
  it('are turned on and off in the console, per device', async () => {
    const page = await enter('reviewer');
    await page.getByRole('button', { name: 'Notifications' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Notify me even when the console is closed' }).click();
    await dialog.getByText('On, in this browser').waitFor();
    await dialog.getByText('Your devices').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
    await dialog.getByRole('button', { name: 'Notify me even when the console is closed' }).waitFor();
    expect(await dialog.getByText('Your devices').count()).toBe(0);
  }, 60_000);

  it('are shown by the worker, replaced by the outcome, and open the card', async () => {
    const page = await enter('reviewer');
    const registered = page.context().waitForEvent('serviceworker');
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: /^Notify me/ }).click();
    const worker = await registered;
    await page.getByText('On, in this browser').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await worker.evaluate(`self.shown = [];
      registration.showNotification = async (title, { tag, silent, data }) => void shown.push({ title, tag, silent, data });
      const isFocused = Object.getOwnPropertyDescriptor(WindowClient.prototype, 'focused').get;
      Object.defineProperty(WindowClient.prototype, 'focused', { get() { return self.looked && isFocused.call(this); } });`);
    const shown = () => worker.evaluate('shown');
    const url = '/console/main/inbox/p-1';
    const asked = { kind: 'asked', title: 'agent wants to run echo', body: 'text: hi', tag: 'p-1', url };
    await deliver(page, asked);
    await expect.poll(shown).toEqual([{ title: asked.title, tag: 'p-1', silent: false, data: { url } }]);
    await deliver(page, { ...asked, kind: 'ended', title: 'Approved by ann' });
    await expect
      .poll(shown)
      .toMatchObject([{}, { title: 'Approved by ann', tag: 'p-1', silent: true, data: { url } }]);
    await worker.evaluate(`dispatchEvent(Object.assign(new Event('notificationclick'), {
      notification: { close() {}, data: shown[0].data }, waitUntil: (work) => work.catch(() => {}) }))`);
    await page.waitForURL(`${gateway.url}${url}`);
  }, 60_000);

  it('support installation: manifest, icons and worker are served under a strict policy', async () => {
    const page = await enter('reviewer', { standIns: false });
    const devtools = await page.context().newCDPSession(page);
    const { errors, url } = await devtools.send('Page.getAppManifest');
    expect([url, errors]).toEqual([`${gateway.url}/console/console.webmanifest`, []]);
    const { icons } = (await (await fetch(url)).json()) as { icons: { src: string; type: string }[] };
    for (const { src, type } of icons) {
      const icon = await fetch(gateway.url + src);
      expect([src, icon.headers.get('content-type')]).toEqual([src, type]);
    }
    const script = await fetch(`${gateway.url}/console/sw.js`);
    expect(script.headers.get('cache-control')).toBe('no-cache');
    expect(script.headers.get('content-security-policy')).not.toContain('unsafe');
  }, 60_000);

  it('explain where they are unsupported, and show operators failed deliveries', async () => {
    const agent = await enter('agent', { standIns: false });
    await agent.evaluate(`fetch('/spaces/main/proposals', { method: 'POST',
      headers: { authorization: 'Bearer agent', 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'echo', arguments: { text: 'hi' } }) })`);
    await agent.getByRole('button', { name: 'Notifications' }).click();
    await agent.getByText('While it is closed').waitFor();
    await agent.getByText('Blocked. Allow notifications').waitFor();
    expect(await agent.getByText('Notifications that could not be sent').count()).toBe(0);

    const page = await enter('reviewer');
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Notifications' }).click();
        await page.getByText('Notifications that could not be sent').waitFor();
        const text = await page.getByRole('dialog').innerText();
        if (!text.includes('127.0.0.1:9 did not answer')) await page.keyboard.press('Escape');
        return text;
      })
      .toMatch(/reviewer over hook, about 1 proposal in main\s+127\.0\.0\.1:9 did not answer/);
    expect(await barriersOn(page)).toEqual([]);
  }, 60_000);
});
