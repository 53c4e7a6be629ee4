import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnLoopback } from '@proffer/gateway';
import { rulesCompanion } from '@proffer/steward/companion';
import type { Browser, Page } from 'playwright-core';
import { CONSOLE_FOLDER } from '../index.js';
import { launchBrowser } from './browser.js';
import { playScene } from './scene.js';

export { makeIcons } from './icons.js';

const STILL = { reducedMotion: 'reduce' } as const;
const WIDE = { ...STILL, viewport: { width: 1240, height: 780 } };
const PHONE = { ...STILL, viewport: { width: 360, height: 720 }, deviceScaleFactor: 1.5 };
const THEMES = ['light', 'dark'] as const;

/** Makes the pictures that the README and the guides show, light and dark, in a folder. */
export async function makePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await using gateway = await startOnLoopback('dev: true', {
    console: CONSOLE_FOLDER,
    companions: [rulesCompanion],
  });
  const url = `http://127.0.0.1:${gateway.port}`;
  const { session, leave } = await playScene(url);
  const browser = await launchBrowser();
  try {
    for (const theme of THEMES) {
      const wide = await openPage(browser, url, { ...WIDE, colorScheme: theme });
      await wide.getByText('Similar calls lately').waitFor();
      // Read to its end, and back: then it can be approved.
      await wide.getByText(/Read on to approve: [1-9]|You approve exactly/).waitFor();
      await wide.keyboard.press('End');
      await wide.getByText(/You approve exactly/).waitFor();
      await wide.keyboard.press('Home');
      await takePicture(wide, join(folder, `inbox-${theme}.png`));
      await wide.goto(`${url}/console/main/history`);
      await wide.getByRole('button', { name: 'Verify' }).click();
      await wide.getByText('Whole:').waitFor();
      await takePicture(wide, join(folder, `history-${theme}.png`));
      await wide.goto(`${url}/console/main/negotiations/${session}`);
      await wide.getByText('Who accepts what').waitFor();
      await takePicture(wide, join(folder, `negotiation-${theme}.png`));
      await wide.goto(`${url}/console/main/rules`);
      await wide.getByText('People allowed this').first().waitFor();
      await takePicture(wide, join(folder, `rules-${theme}.png`));
      const phone = await openPage(browser, url, { ...PHONE, colorScheme: theme });
      await phone.getByRole('option', { name: /edit_file/ }).click();
      await phone.getByText('in the words of').waitFor();
      await takePicture(phone, join(folder, `phone-${theme}.png`));
    }
  } finally {
    await browser.close();
    await leave();
  }
}

async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0],
): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${url}/console/main/inbox`);
  await page.getByRole('button', { name: 'reviewer' }).click();
  await page.getByText(/^Asked of you/).waitFor();
  return page;
}

async function takePicture(page: Page, path: string): Promise<void> {
  // Two frames: what was asked for last is drawn by then.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.screenshot({ path });
}
