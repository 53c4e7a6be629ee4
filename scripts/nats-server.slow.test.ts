import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findNatsServer, isNewEnough } from './nats-server.mjs';

/** A folder with a program that reports a NATS server version. */
function folderWith(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proffer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'nats-server');
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(path, 0o755);
  return folder;
}

describe('NATS server for the tests', () => {
  it.each(['2.12.0', '2.15.1', '3.0.0'])('may be %s', (version) => {
    expect(isNewEnough(`nats-server: v${version}\n`)).toBe(true);
  });

  it.each(['2.9.10', '2.11.9', '1.4.1'])('must not be %s, which has no atomic batches', (version) => {
    expect(isNewEnough(`nats-server: v${version}\n`)).toBe(false);
  });

  it('is the first one on the PATH that is new enough', () => {
    const [old, good, later] = [folderWith('2.9.10'), folderWith('2.12.4'), folderWith('2.15.1')];
    expect(findNatsServer({ PATH: [old, good, later].join(':') })).toBe(join(good, 'nats-server'));
  });

  it('is the configured one, whatever is on the PATH', () => {
    const named = join(folderWith('2.13.0'), 'nats-server');
    expect(findNatsServer({ PATH: folderWith('2.15.1'), NATS_SERVER_PROGRAM: named })).toBe(named);
  });
});
