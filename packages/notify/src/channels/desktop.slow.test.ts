import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleNotification } from '../content/notification.js';
import { desktop } from './desktop.js';

const LINK = 'https://proffer.example/console/main/inbox/p-1';
const HOSTILE = '--urgency=critical <b>bold</b> & "$(touch /tmp/x)" `id`\n<img src="http://x/">';
const NOTIFICATION = {
  ...sampleNotification('reviewer', LINK, 0),
  title: '-t agent wants to run $(rm)',
  text: HOSTILE,
};
const signal = AbortSignal.timeout(20_000);

/** A program of that name first in the PATH, which records its arguments. */
async function standIn(name: string, ends = ''): Promise<() => Promise<readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-desktop-'));
  const kept = join(folder, 'arguments');
  await writeFile(join(folder, name), `#!/bin/sh\nprintf '%s\\0' "$@" > '${kept}'\n${ends}\n`);
  await chmod(join(folder, name), 0o755);
  const { PATH = '' } = process.env;
  process.env['PATH'] = `${folder}${delimiter}${PATH}`;
  onTestFinished(async () => {
    process.env['PATH'] = PATH;
    await rm(folder, { recursive: true });
  });
  return async () => (await readFile(kept, 'utf8')).split('\0').slice(0, -1);
}

describe('the desktop', () => {
  it('gets the text unchanged on Linux, without markup or options in it', async () => {
    const called = await standIn('notify-send');
    expect(await desktop('linux').check(signal)).toBeUndefined();
    expect(await desktop('linux').deliver(NOTIFICATION, signal)).toEqual({ ok: true });
    const escaped = HOSTILE.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(await called()).toEqual(['--app-name=Proffer', '--', NOTIFICATION.title, `${escaped}\n${LINK}`]);
  });

  it('gets the text as script arguments on macOS', async () => {
    const called = await standIn('osascript');
    expect(await desktop('darwin').deliver(NOTIFICATION, signal)).toEqual({ ok: true });
    const [option, script = '', ...words] = await called();
    expect([option, ...words]).toEqual(['-e', '--', `${HOSTILE}\n${LINK}`, NOTIFICATION.title]);
    expect(script).not.toContain('agent');
  });

  it('reports the problem if there is none', async () => {
    await standIn('notify-send', 'echo "no bus" >&2; exit 1');
    expect(await desktop('linux').deliver(NOTIFICATION, signal)).toEqual({
      ok: false,
      why: 'The desktop did not show the notification: no bus',
      final: true,
    });
    expect(await desktop('darwin').check(signal)).toBe('osascript is not installed.');
    expect(await desktop('darwin').deliver(NOTIFICATION, signal)).toMatchObject({
      why: 'The desktop did not show the notification: osascript is not installed',
    });
  });
});
