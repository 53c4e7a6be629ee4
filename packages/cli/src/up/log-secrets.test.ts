import { connect, type Participant } from '@proffer/client';
import { type LoopbackGateway, startOnLoopback } from '@proffer/gateway';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const PASSWORD = 'correct horse battery';
const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });

/** What was logged, without anything that looks like a secret. */
function expectClean(): void {
  const all = logged.join('');
  expect(all).not.toContain(TOKEN);
  expect(all).not.toContain(PASSWORD);
}

describe('the log of a gateway', () => {
  let running: LoopbackGateway;
  let people: readonly Participant[] = [];
  beforeAll(async () => {
    running = await startOnLoopback('dev: true', { log });
    const join = (token: string) =>
      connect({ url: `http://127.0.0.1:${running.port}`, token, space: 'main' });
    people = await Promise.all(['tools', 'agent', 'reviewer'].map(join));
  });
  afterAll(async () => {
    await Promise.all(people.map((one) => one.close()));
    await running.gateway.close();
  });

  it('has no secret of calls that carry some in arguments, reasons, results and errors', async () => {
    const [tools, agent, reviewer] = people;
    if (tools === undefined || agent === undefined || reviewer === undefined)
      throw new Error('nobody is here');
    const inputSchema = { type: 'object', properties: { password: { type: 'string', maxLength: 40 } } };
    await tools.serve([
      { name: 'login', inputSchema, handler: () => `signed in with ${TOKEN}` },
      {
        name: 'fail',
        handler: () => {
          throw new Error(`password=${PASSWORD} and ${TOKEN} are wrong`);
        },
      },
    ]);
    const given = { password: PASSWORD, note: `Bearer ${TOKEN}` };
    for (const name of ['login', 'fail']) {
      const asked = agent.propose('tools/call', { name, arguments: given }, { reason: `It needs ${TOKEN}.` });
      await asked.accepted;
      await reviewer.status(asked.id, 'considering', { message: TOKEN });
      await reviewer.status(asked.id, 'revealed');
      const pending = reviewer.pending.find(({ id }) => id === asked.id);
      if (pending === undefined) throw new Error('it is not pending');
      await reviewer.approve(pending);
      await asked.catch(() => {});
    }
    const rejected = agent.propose('tools/call', { name: 'login', arguments: given });
    await rejected.accepted;
    await reviewer.reject(rejected.id, 'unsafe', `${TOKEN} is in it`);
    await expect(rejected).rejects.toThrow('rejected');
    expectClean();
  });

  it('has no secret of refused requests, and neither has a refusal', async () => {
    const url = `http://127.0.0.1:${running.port}`;
    const post = (body: string, token = 'agent', query = '') =>
      fetch(`${url}/spaces/main/proposals${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      });
    await post(`{"password": "${PASSWORD}"`);
    await post('{}', TOKEN);
    await post('{}', 'agent', `?token=${TOKEN}`);
    const wrong = { name: 'login', arguments: { password: PASSWORD.repeat(3) } };
    const refused = await post(JSON.stringify({ method: 'tools/call', params: wrong }));
    const said = await refused.text();
    expect(said).toContain('[redacted]');
    expect(said).not.toContain(PASSWORD);
    await fetch(`${url}/nowhere/${TOKEN}`);
    expectClean();
  });
});
