import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { launchBrowser } from './testing/browser.js';

const PROFFER = fileURLToPath(new URL('../../cli/bin/proffer.js', import.meta.url));

/** A server that is there, and does nothing. */
const IDLE = 'process.stdin.resume()';

it('signs in with the link that a guard prints, once, and keeps the code out of the address', async () => {
  const data = await mkdtemp(join(tmpdir(), 'proffer-link-'));
  const args = ['guard', '--data', data, '--gateway-port', '0', '--', process.execPath, '-e', IDLE];
  const guard = spawn(process.execPath, [PROFFER, ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = once(guard, 'close');
  const browser = await launchBrowser();
  try {
    let link = '';
    for await (const line of createInterface({ input: guard.stderr })) {
      [link = ''] = /http:\S+#code=\S+/.exec(line) ?? [];
      if (link !== '') break;
    }
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(link);
    await page.getByRole('navigation').waitFor();
    expect(page.url()).toBe(`${new URL(link).origin}/console/main/inbox`);
    expect(asked.join('\n')).not.toContain(new URL(link).hash.slice('#code='.length));
    // Reloading the tab goes on with its token; the link is used up for everybody else.
    await page.reload();
    await page.getByRole('navigation').waitFor();
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other.getByRole('alert').getByText('This link was used already').waitFor();
    expect(other.url()).not.toContain('code');
  } finally {
    await browser.close();
    guard.stdin.end();
    await ended;
    await rm(data, { recursive: true, force: true });
  }
}, 120_000);
