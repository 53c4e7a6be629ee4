import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatching } from '@proffer/client/machine';
import { expect, it } from 'vitest';
import { NO_OPINION, socketIn } from './index.js';
import { launch } from './launch.js';

it('O-50: while Proffer watches, an agent does not wait for a resident process that hangs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proffer-launch-'));
  mkdirSync(join(folder, 'hook'));
  startWatching(folder, 0);
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => void server.listen(socketIn(folder), resolve));
  try {
    const asked = { agent: 'claude-code', event: 'PreToolUse', wait: 600_000, otherwise: 'deny' } as const;
    const input = Buffer.from('{"tool_name":"Bash"}');
    expect(await launch({ asked, folder, serve: [], input })).toEqual(NO_OPINION);
    expect(sockets).toHaveLength(1);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
