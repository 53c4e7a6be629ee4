import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

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

/**
 * A browser with a profile in a folder: what it keeps is there again the next time.
 *
 * @param trusted - a certificate that it trusts, in PEM
 */
export async function launchProfile(
  folder: string,
  { trusted, ...options }: BrowserContextOptions & { readonly trusted?: string | undefined },
): Promise<BrowserContext> {
  const executablePath = await unpackOnce();
  const args = trusted === undefined ? FLAGS : [...FLAGS, trustOf(trusted)];
  return await chromium.launchPersistentContext(folder, { ...options, executablePath, args });
}

function trustOf(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
}

/** Where the browser is unpacked, once for all runs; next to other things that the tests got. */
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/proffer/chromium', import.meta.url));

/** The path of the browser. It is renamed when it is complete, so that no other process starts half of one. */
async function unpackOnce(): Promise<string> {
  const packed = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const manifest = JSON.parse(await readFile(join(packed, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const folder = `${CACHE}-${manifest.version}`;
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true });
    const own = await mkdtemp(`${folder}-`);
    // It unpacks into the temporary folder of its process.
    const unpack = `import(${JSON.stringify(packed)}).then((packed) => packed.default.executablePath())`;
    await promisify(execFile)(process.execPath, ['-e', unpack], { env: { ...process.env, TMPDIR: own } });
    await rename(own, folder).catch(() => rm(own, { recursive: true }));
  }
  return join(folder, 'chromium');
}
