import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

/** A configuration whose webhook goes to a server that answers with a status. */
async function setUp(status: number) {
  const server = createServer((_, response) => response.writeHead(status).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const file = join(folder.path, 'proffer.yaml');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(
    file,
    `dev: true
listen: { http: "127.0.0.1:0", grpc: "off" }
notify:
  channels:
    hook: { type: webhook, url: "${url}", secrets: [whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQ=] }
    spare: { type: terminal }
    lost: { type: slack, token: { env: PROFFER_NO_SUCH_TOKEN } }
  participants: { reviewer: [{ channel: hook }, { channel: lost, to: C1 }] }
`,
  );
  return file;
}

describe('proffer notify test', () => {
  it('sends a test message and reports it', async () => {
    const { code, stdout } = await runHere(['notify', 'test', 'hook', '--config', await setUp(204)], {});
    expect(stdout).toContain('reviewer: sent');
    expect(code).toBe(0);
  });

  it('reports why it failed', async () => {
    const { code, stdout } = await runHere(['notify', 'test', 'hook', '-c', await setUp(500)], {});
    expect(stdout).toMatch(/reviewer: 127\.0\.0\.1:\d+ answered 500/);
    expect(code).toBe(1);
  });

  it('lists the channels if there is no such one, and reports if nobody is reached', async () => {
    const file = await setUp(204);
    const wrong = await runHere(['notify', 'test', 'hok', '-c', file], {});
    expect(wrong.stderr).toContain('There is no channel hok. There are hook, spare, lost');
    const spare = await runHere(['notify', 'test', 'spare', '-c', file], {});
    expect(spare.stderr).toContain('Channel spare reaches nobody');
  });
});

describe('proffer doctor', () => {
  it('checks every channel', async () => {
    const { stdout } = await runHere(['doctor', '--json', '--config', await setUp(204)], {});
    const { findings } = JSON.parse(stdout) as {
      findings: { subject: string; state: string; message: string }[];
    };
    const about = (channel: string) => findings.find(({ subject }) => subject === `notify ${channel}`);
    expect(about('hook')).toMatchObject({ state: 'good' });
    expect(about('spare')).toMatchObject({ state: 'warn', message: 'This channel reaches nobody.' });
    expect(about('lost')).toMatchObject({
      state: 'bad',
      message: 'The environment variable PROFFER_NO_SUCH_TOKEN is not set.',
    });
  });
});
