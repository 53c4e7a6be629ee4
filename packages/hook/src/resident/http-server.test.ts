import { request } from 'node:http';
import { defined } from '@proffer/core/json';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CLAUDE_CODE } from '../agents/claude-code.js';
import { understand } from '../testing/agents.js';
import { type HookSpace, HTTP_TOKEN, startHookSpace } from '../testing/hook-space.js';

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace('rules: [{ action: allow, match: { command: ls ** } }]');
});
afterAll(() => space[Symbol.asyncDispose]());

interface AskResult {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
  readonly signal?: AbortSignal;
}

/** Asks as Claude Code does, with Node's own client, which lets a test set the Host header. */
function ask(body: string, { headers = {}, method = 'POST', path, signal }: AskResult = {}) {
  const port = space.resident.httpPort ?? 0;
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: path ?? '/proffer/hooks/claude-code/PreToolUse?wait=20',
        headers: { authorization: `Bearer ${HTTP_TOKEN}`, 'content-type': 'application/json', ...headers },
        ...defined({ signal }),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const sample = (command: string): string => JSON.stringify(CLAUDE_CODE.sample('/home/ada/app', command));
const understood = ({ body }: { readonly body: string }) =>
  understand('claude-code', 'PreToolUse', { stdout: body, exitCode: 0 });

describe('a hook over HTTP', () => {
  it('is answered by rules and by people, like a command', async () => {
    expect(understood(await ask(sample('ls')))).toMatchObject({ does: 'runs' });
    const asked = ask(sample('over http'));
    await space.approve('over http');
    expect(understood(await asked)).toMatchObject({ does: 'runs', told: 'Allowed by reviewer.' });
  });

  it.each<[string, number, AskResult]>([
    ['without a token', 401, { headers: { authorization: '' } }],
    ['with a wrong token', 401, { headers: { authorization: 'Bearer x' } }],
    ['from a page', 403, { headers: { origin: 'http://127.0.0.1:7422' } }],
    ['under a foreign host name', 403, { headers: { host: 'evil.example:7422' } }],
    ['elsewhere', 404, { path: '/' }],
    ['with another method', 405, { method: 'PUT' }],
  ])('%s is refused', async (_, status, asked) => {
    const answer = await ask(sample('ls'), asked);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain(HTTP_TOKEN);
    expect(answer.body).not.toContain('allow"');
  });

  it("is answered in the agent's format if its event is unreadable", async () => {
    for (const body of ['', '{"x', '[]', '7'])
      expect(understood(await ask(body))).toMatchObject({ does: 'asks' });
    expect(understood(await ask('x'.repeat(17_000_000)))).toMatchObject({ does: 'asks' });
  });

  it('that breaks off in the middle does not affect the others', async () => {
    const faults: unknown[] = [];
    const onFault = (error: unknown): void => void faults.push(error);
    process.on('unhandledRejection', onFault);
    onTestFinished(() => void process.off('unhandledRejection', onFault));
    const sent = request({
      host: '127.0.0.1',
      port: space.resident.httpPort ?? 0,
      method: 'POST',
      path: '/proffer/hooks/claude-code/PreToolUse',
      headers: { authorization: `Bearer ${HTTP_TOKEN}`, 'content-length': '1000' },
    });
    const closed = new Promise((resolve) => sent.on('error', () => {}).on('close', resolve));
    await new Promise((resolve) => sent.write('{"x', resolve));
    await ask(sample('ls'));
    sent.destroy();
    await closed;
    expect(understood(await ask(sample('ls')))).toMatchObject({ does: 'runs' });
    expect(faults).toEqual([]);
  });

  it('O-15: that is aborted is withdrawn', async () => {
    const gone = new AbortController();
    const asked = ask(sample('given up'), { signal: gone.signal });
    const { id } = await space.proposalFor('given up');
    gone.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(() => space.reviewer.pending.map((proposal) => proposal.id)).not.toContain(id);
  });
});
