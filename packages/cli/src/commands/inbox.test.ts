import type { JsonObject } from '@proffer/core/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnection, type GatewayConnection } from '../connection/connection.js';
import { proposalMessage } from '../connection/envelopes.js';
import { type DevGateway, startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

let gateway: DevGateway;
let agent: GatewayConnection;

beforeAll(async () => {
  gateway = await startDevGateway();
  const { url } = gateway;
  agent = createConnection({ url, space: 'main', token: 'agent', assumed: false, given: {} }, 'proffer');
  await propose('served', 'echo', { text: 'x' });
});

afterAll(() => gateway[Symbol.asyncDispose]());

const propose = (id: string, name: string, given: JsonObject = {}) =>
  agent.send(proposalMessage(id, { method: 'tools/call', params: { name, arguments: given } }, {}));

describe('inbox', () => {
  it('lists a journal without its gateway with --data, consistent with show and log', async () => {
    const all = await runHere(['inbox', '--all', '--data', gateway.data]);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/agent +echo.*pending/) });
    expect(all.stdout).toContain(`proffer show ID · proffer log, each with --data ${gateway.data}`);
    expect(all.stdout).not.toContain('approve');
    expect((await runHere(['inbox', '--data', gateway.data])).stdout).toMatch(/echo.*never/);
    expect(await runHere(['inbox', '--watch', '--data', gateway.data])).toMatchObject({ code: 2 });
  });

  it('O-26: notes for pending proposals whether they could run now', async () => {
    await propose('nobody', 'nosuch');
    await propose('call-12ab', 'agent/write');
    const { stdout } = await gateway.run('inbox');
    expect(stdout).toMatch(/nosuch.*nobody serves it now/);
    expect(stdout).toMatch(/agent\/write.*agent is not connected/);
    expect(stdout).toMatch(/echo.*never\s*$/m);
    const absent = await gateway.run('approve', 'nobody', '--no-wait');
    expect(absent.stderr).toMatch(/^✗ Nobody here serves "nosuch"\.\n/m);
  });

  it.each(['approve', 'show'])('reports an empty id: %s', async (command) => {
    const { code, stderr } = await gateway.run(command, '');
    expect(code).toBe(2);
    expect(stderr).toContain('The id of the proposal is empty.');
  });

  it('hides secrets everywhere on the terminal until somebody reveals them, which is recorded', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await gateway.run(
      'propose',
      'echo',
      '--arg',
      `text=use ${token}`,
      '--id',
      'hush',
      '--no-wait',
      '--as',
      'agent',
    );
    for (const command of [['inbox'], ['show', 'hush'], ['log']]) {
      const { stdout } = await gateway.run(...command);
      expect(stdout).toContain('[redacted]');
      expect(stdout).not.toContain(token);
    }
    const { stdout } = await gateway.run('show', 'hush', '--reveal');
    expect(stdout).toContain(token);
    expect(stdout).toMatch(/reviewer +revealed the hidden values of this call/);
    await gateway.run('withdraw', 'hush', '--as', 'agent');
    await gateway.run('show', 'hush', '--reveal', '--as', 'ada');
    const after = await gateway.run('show', 'hush');
    expect(after.stdout).toMatch(/ada +revealed the hidden values of this call/);
    expect(after.stdout).not.toContain(token);
  });

  it("shows the proposer's note about why it may not run at once, and so does the approval", async () => {
    await propose('away', 'current_time');
    const message = 'The caller is disconnected.';
    const kind = 'mcpx.status.proposal';
    await agent.send({ id: 's1', kind, correlationId: 'away', payload: { status: 'unable', message } });
    expect((await gateway.run('inbox')).stdout).toMatch(/current_time.*agent cannot do this/);
    const { code, stderr } = await gateway.run('approve', 'away');
    expect(code).toBe(0);
    expect(stderr).toContain(`! agent: ${message}\n`);
  });
});
