import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { barriersOn } from './testing/barriers.js';
import { launchBrowser } from './testing/browser.js';

const PROFFER = fileURLToPath(new URL('../../cli/bin/proffer.js', import.meta.url));

/** An idle server. */
const IDLE = 'process.stdin.resume()';

it('signs in once with the link that a guard prints, and asks there whether to pair a phone', async () => {
  const data = await mkdtemp(join(tmpdir(), 'proffer-link-'));
  const place = ['--data', data, '--gateway-port', '0', '--share', '127.0.0.1:0'];
  const args = ['guard', ...place, '--', process.execPath, '-e', IDLE];
  const guard = spawn(process.execPath, [PROFFER, ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = once(guard, 'close');
  const browser = await launchBrowser();
  try {
    let link = '';
    for await (const line of createInterface({ input: guard.stderr })) {
      [link = ''] = /http:\S+#code=\S+/.exec(line) ?? [];
      if (link !== '') break;
    }
    const page = await (await browser.newContext()).newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(link);
    await page.getByRole('navigation').waitFor();
    expect(page.url()).toBe(`${new URL(link).origin}/console/main/inbox`);
    expect(asked.join('\n')).not.toContain(new URL(link).hash.slice('#code='.length));
    // Reloading the tab keeps its token; the link works for nobody else.
    await page.reload();
    await page.getByRole('navigation').waitFor();
    // A device asks to be paired, as the serving process reports it: by a file in the guards' folder.
    const folder = join(data, 'pairing');
    const id = '0123456789abcdef';
    await mkdir(folder);
    const agent = 'Mozilla/5.0 (Linux; Android 15) Chrome/153.0 Mobile';
    const question = { id, from: '192.168.1.23', agent, askedAt: Date.now() };
    await writeFile(join(folder, `${id}.json`), JSON.stringify(question));
    await page.getByText('Chrome on Android at 192.168.1.23 wants to').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Let it in' }).click();
    await expect.poll(() => readFile(join(folder, `${id}.answer`), 'utf8').catch(() => '')).toBe('yes');
    // With --share, the pairing code is here as well: nobody sees what a guard prints behind an MCP client.
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: 'Pair a phone' }).click();
    await page.getByRole('img', { name: 'QR code of the link below' }).waitFor();
    await page.getByText(/^https:\/\/127\.0\.0\.1:\d+\/console\/#code=/).waitFor();
    // The phone that scanned it is let in where the code is: the page behind the dialog cannot be reached.
    const next = 'fedcba9876543210';
    await writeFile(join(folder, `${next}.json`), JSON.stringify({ ...question, id: next }));
    await page.getByRole('dialog').getByRole('button', { name: 'Let it in' }).click();
    await expect.poll(() => readFile(join(folder, `${next}.answer`), 'utf8').catch(() => '')).toBe('yes');
    expect(await barriersOn(page)).toEqual([]);
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other.getByRole('alert').getByText('This link has already been used').waitFor();
    expect(other.url()).not.toContain('code');
  } finally {
    await browser.close();
    guard.stdin.end();
    await ended;
    await rm(data, { recursive: true, force: true });
  }
}, 120_000);
