import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnLoopback } from '@proffer/gateway';
import { rulesCompanion } from '@proffer/steward/companion';
import type { Browser, Page } from 'playwright-core';
import { CONSOLE_FOLDER } from '../index.js';
import { launchBrowser } from './browser.js';
import { playScene } from './scene.js';

export { makeIcons } from './icons.js';

const STILL = { reducedMotion: 'reduce', locale: 'en-US' } as const;
const WIDE = { ...STILL, viewport: { width: 1240, height: 780 } };
const PHONE = { ...STILL, viewport: { width: 360, height: 720 }, deviceScaleFactor: 1.5 };
const THEMES = ['light', 'dark'] as const;

/** Takes the screenshots for the README and the guides, light and dark, into a folder. */
export async function makePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await using gateway = await startOnLoopback('dev: true', {
    console: CONSOLE_FOLDER,
    companions: [rulesCompanion],
  });
  const url = `http://127.0.0.1:${gateway.port}`;
  const { session, edited, leave } = await playScene(url);
  const browser = await launchBrowser();
  try {
    for (const theme of THEMES) {
      const wide = await openPage(browser, url, { ...WIDE, colorScheme: theme });
      await wide.getByText('Recent similar calls').waitFor();
      // Scrolled to the end and back: then it can be approved.
      await wide.getByText(/Scroll to the end to approve \([1-9]|This approval covers exactly/).waitFor();
      await wide.keyboard.press('End');
      await wide.getByText(/This approval covers exactly/).waitFor();
      await wide.keyboard.press('Home');
      await takePicture(wide, join(folder, `inbox-${theme}.png`));
      const phone = await openPage(browser, url, { ...PHONE, colorScheme: theme });
      await takePicture(phone, join(folder, `phone-inbox-${theme}.png`));
      await phone.getByRole('option', { name: /edit_file/ }).click();
      await phone.getByText('’s reason').waitFor();
      await takePicture(phone, join(folder, `phone-${theme}.png`));
      for (const [page, name] of [
        [wide, ''],
        [phone, 'phone-'],
      ] as const)
        for (const view of viewsOf(session, edited)) {
          await page.goto(`${url}/console/main/${view.address}`);
          await view.show(page);
          await takePicture(page, join(folder, `${name}${view.name}-${theme}.png`));
        }
    }
  } finally {
    await browser.close();
    await leave();
  }
}

interface PicturedView {
  readonly name: string;
  readonly address: string;
  /** Waits until it shows what a reader should see. */
  readonly show: (page: Page) => Promise<void>;
}

function viewsOf(session: string, proposal: string): readonly PicturedView[] {
  const until = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
  const verified = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Intact:').waitFor();
  };
  return [
    { name: 'history', address: 'history', show: verified },
    { name: 'proposal', address: `proposals/${proposal}`, show: until('Full history') },
    { name: 'negotiation', address: `negotiations/${session}`, show: until('Who accepts what') },
    { name: 'rules', address: 'rules', show: until('Secrets stay where they are') },
    { name: 'insights', address: 'insights', show: until('Allowed by grants') },
    { name: 'people', address: 'people', show: until('Serves tools') },
  ];
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
  // No hover.
  await page.mouse.move(0, 0);
  return page;
}

async function takePicture(page: Page, path: string): Promise<void> {
  // Two frames: the last change is drawn by then.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.screenshot({ path });
}
