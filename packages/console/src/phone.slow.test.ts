import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { launchProfile } from './testing/browser.js';
import { hookMachine } from './testing/hook-machine.js';
import { handClock, readAll } from './testing/house.js';

let computer: Awaited<ReturnType<typeof hookMachine>>;
let profiles: string;
const browsers = new Set<BrowserContext>();
beforeAll(async () => {
  [computer, profiles] = await Promise.all([hookMachine(), mkdtemp(join(tmpdir(), 'proffer-profiles-'))]);
}, 120_000);
afterAll(async () => {
  for (const browser of browsers) await browser.close();
  await computer?.[Symbol.asyncDispose]();
  await rm(profiles, { recursive: true, force: true, maxRetries: 5 });
});

const PHONE = {
  size: { viewport: { width: 360, height: 720 }, isMobile: true, hasTouch: true },
  // As with a certificate from mkcert or a tunnel.
  isTrusted: true,
};
const WIDE = {
  size: { viewport: { width: 1280, height: 800 } },
  // Somebody accepted the certificate that the computer signed itself.
  isTrusted: false,
};

type Profile = (typeof PHONE | typeof WIDE) & { readonly folder: string };

/** Opens an address in a browser that is started for it, with what its profile kept. */
async function tap({ folder, size, isTrusted }: Profile, url: string) {
  const trusted = isTrusted ? await computer.certificate() : undefined;
  const browser = await launchProfile(folder, {
    ...size,
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: !isTrusted,
    trusted,
  });
  browsers.add(browser);
  browser.once('close', () => browsers.delete(browser));
  const page = browser.pages()[0] ?? (await browser.newPage());
  page.setDefaultTimeout(60_000);
  await handClock(page);
  await page.goto(url);
  return { page, browser };
}

describe('from ring to decision', () => {
  it.each([
    ['a phone', PHONE],
    ['a wide screen', WIDE],
  ])(
    'one tap, on %s that was closed in between',
    async (name, kind) => {
      const profile = { ...kind, folder: join(profiles, name) };
      // The agent asks, which starts the gateway. The computer shows a code, and the browser scans it.
      const before = computer.rung.length;
      void computer.ask('rm -rf first');
      await expect.poll(() => computer.rung.length).toBe(before + 1);
      const { link = '' } = await computer.devices({ pair: true });
      expect(new URL(link).origin).toBe(computer.origin);
      const pairing = await tap(profile, link);
      await pairing.page.getByText('You may have to confirm on the computer').waitFor();
      await expect.poll(async () => (await computer.devices({})).asking).toHaveLength(1);
      const [asking] = (await computer.devices({})).asking ?? [];
      const { devices: known = [] } = await computer.devices({ answer: asking?.id, yes: true });
      await pairing.page.getByRole('navigation').waitFor();
      // No token is kept anywhere in the browser, and the key cannot be read.
      expect(
        await pairing.page.evaluate('JSON.stringify([sessionStorage, localStorage, document.cookie])'),
      ).toBe('[{},{},""]');
      expect(await pairing.page.evaluate(KEPT)).toEqual({ extractable: false, type: 'private' });
      // Until its worker is activated, the browser has not kept it.
      if (profile.isTrusted) await expect.poll(() => pairing.page.evaluate(WORKER)).toBe('activated');
      await pairing.browser.close();

      // Both restart. Until the computer is there again, the phone shows a page that tries again, if its browser
      // allows the page a worker.
      await computer.end();
      const early = profile.isTrusted ? await tap(profile, `${computer.origin}/console/`) : undefined;
      await early?.page.getByText('Proffer is not running on the computer right now').waitFor();
      await computer.start();
      const told = computer.ask('rm -rf build');
      await early?.page.getByRole('navigation').waitFor();
      await early?.browser.close();

      // The phone rang once for it. The tap opens the card.
      await expect.poll(() => computer.rung.length).toBe(before + 2);
      const { click, title } = computer.rung.at(-1) ?? { click: '', title: '' };
      expect(click).toMatch(new RegExp(`^${computer.origin}/console/main/inbox/[^#]+$`));
      expect(title).toContain('wants to');
      const { page, browser } = await tap(profile, click);
      await page.locator('article').getByText('rm -rf build').first().waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await readAll(page);
      await page.getByRole('button', { name: /^Approve/ }).click();
      expect(await told).toContain('"permissionDecision":"allow"');
      expect(computer.rung).toHaveLength(before + 2);

      // A revoked device is out at once, and is told why, not asked for a token.
      const device = (await computer.devices({})).devices?.find(
        ({ id }) => !known.some((one) => one.id === id),
      );
      await computer.revoke(device?.id ?? '');
      await page.getByText('The computer no longer knows this browser').waitFor();
      await page.getByText('scan the code').waitFor();
      expect(await page.getByLabel('Your token').count()).toBe(0);
      expect(await barriersOn(page)).toEqual([]);
      await browser.close();
    },
    180_000,
  );
});

/** How far the browser is with its worker. */
const WORKER = 'navigator.serviceWorker.ready.then(({ active }) => active?.state)';

/** What the browser keeps of the key. */
const KEPT = `new Promise((resolve) => {
  indexedDB.open('device', 1).onsuccess = ({ target: { result } }) => {
    result.transaction('device').objectStore('device').get('here').onsuccess = ({ target }) => {
      const { extractable, type } = target.result.key;
      result.close();
      resolve({ extractable, type });
    };
  };
})`;
