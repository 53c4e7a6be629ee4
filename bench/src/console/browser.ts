import packed from '@sparticuz/chromium';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { atEnd } from '../cleanup.js';

const FLAGS = [
  '--no-sandbox',
  '--headless=shell',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  // Ten pages are followers alike: none is slowed down because another one is in front of it.
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
];

/** Chromium, which comes with npm. Ended with `await using`, or else when the process ends. */
export async function launchChromium(): Promise<Browser & AsyncDisposable> {
  const server = await chromium.launchServer({ executablePath: await packed.executablePath(), args: FLAGS });
  const forget = atEnd(() => server.process().kill('SIGKILL'));
  const browser = await chromium.connect(server.wsEndpoint());
  return Object.assign(browser, {
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
      forget();
    },
  });
}

/** What the page itself cannot tell: its protocol of the developer tools. */
export function inspect(page: Page): Promise<CDPSession> {
  return page.context().newCDPSession(page);
}

/** Bytes that the page has in use after its garbage is collected: of its script, of the document, and of buffers. */
export async function heapOf(inspector: CDPSession): Promise<number> {
  // What the first collection finds unreachable may be kept by weak references until the second.
  await inspector.send('HeapProfiler.collectGarbage');
  await inspector.send('HeapProfiler.collectGarbage');
  const used = await inspector.send('Runtime.getHeapUsage');
  return used.usedSize + used.embedderHeapUsedSize + used.backingStorageSize;
}
