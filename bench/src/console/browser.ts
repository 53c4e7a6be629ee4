import packed from '@sparticuz/chromium';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { onExit } from '../cleanup.js';

const FLAGS = [
  '--no-sandbox',
  '--headless=shell',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  // All ten pages behave alike: none is throttled for being in the background.
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
];

/** Chromium from npm. Closed by `await using` or when the process exits. */
export async function launchChromium(): Promise<Browser & AsyncDisposable> {
  const server = await chromium.launchServer({ executablePath: await packed.executablePath(), args: FLAGS });
  const forget = onExit(() => server.process().kill('SIGKILL'));
  const browser = await chromium.connect(server.wsEndpoint());
  return Object.assign(browser, {
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
      forget();
    },
  });
}

/** A DevTools protocol session, for what the page itself cannot measure. */
export function inspect(page: Page): Promise<CDPSession> {
  return page.context().newCDPSession(page);
}

/** Bytes in use after garbage collection: script, document and buffers. */
export async function heapOf(inspector: CDPSession): Promise<number> {
  // Weak references may keep garbage alive until the second collection.
  await inspector.send('HeapProfiler.collectGarbage');
  await inspector.send('HeapProfiler.collectGarbage');
  const used = await inspector.send('Runtime.getHeapUsage');
  return used.usedSize + used.embedderHeapUsedSize + used.backingStorageSize;
}
