import { createHash } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { loopbackConfig } from '../loopback.js';
import { temporaryFolder } from '../testing/folder.js';
import { startChild } from '../testing/kill/child.js';
import { ask } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { CALL, proposalIn, scriptOf, serveEcho } from '../testing/peers/script.js';
import { startTestGateway } from '../testing/test-gateway.js';

const ECHO = 'mcp.request.tools/call:echo';

const allow = (http: string, bounds: JsonObject, by = 'reviewer') =>
  ask(`${http}/spaces/main/grants`, by, {
    method: 'POST',
    body: JSON.stringify({ to: 'agent', capabilities: [ECHO], ...bounds }),
  });

/** Counted uses in a space, and calls that ran. */
async function spentIn(http: string): Promise<{ readonly used: number; readonly ran: number }> {
  const { body } = await ask(`${http}/spaces/main/feed`, 'reviewer');
  const messages = body['messages'] as readonly { readonly kind: string; readonly payload: JsonObject }[];
  return {
    used: messages.filter(({ payload }) => payload['notice'] === 'grant_used').length,
    ran: messages.filter(({ kind }) => kind.startsWith('mcp.request.')).length,
  };
}

describe('proposal covered by a grant', () => {
  it("O-41: runs at once, with the grant in its history, and is in nobody's inbox", async () => {
    await using gateway = await startTestGateway();
    await using tools = await serveEcho(gateway.ws);
    const { body } = await allow(gateway.http, { session: 's-1' });
    expect(body).toMatchObject({ grant: { session: 's-1', until: expect.any(Number) } });
    const { propose } = scriptOf(gateway.http);
    const answer = await propose('agent', { ...CALL, origin: { session: 's-1' } });
    expect(proposalIn(answer)).toMatchObject({
      phase: 'fulfilled',
      fulfilment: { by: 'reviewer', grant: body['id'] },
      decision: { decision: 'fulfilled', grant: body['id'] },
    });
    const request = await tools.next(({ kind }) => kind.startsWith('mcp.request.'));
    expect(request).toMatchObject({ from: 'reviewer', payload: { grant: body['id'] } });
    const other = await propose('agent', { ...CALL, origin: { session: 's-2' } });
    expect(proposalIn(other)).toMatchObject({ phase: 'pending' });
    expect(proposalIn(await propose('agent', { ...CALL, grants: false }))).toMatchObject({
      phase: 'pending',
    });
  });

  it('O-41: a granter removed from the configuration grants nothing any more', async () => {
    const token = (name: string) => `${name}-`.padEnd(32, 'x');
    const hash = (name: string) => `sha256:${createHash('sha256').update(token(name)).digest('hex')}`;
    const listed = (name: string, capabilities: string) =>
      `  ${name}: { tokens: ["${hash(name)}"], spaces: { main: [${capabilities}] } }\n`;
    const others = listed('agent', 'mcp.proposal.*') + listed('tools', '"*"');
    const config = (people: string) => `spaces: { main: {} }\nparticipants:\n${others}${people}`;
    await using gateway = await startTestGateway(config(listed('ann', '"*"')));
    await using tools = await connectPeer(gateway.ws, token('tools'));
    await tools.say({ id: 't1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'echo' }] } });
    const { http } = gateway;
    const granted = await allow(http, { for: '1h' }, token('ann'));
    expect(granted).toMatchObject({ status: 201 });
    const { propose } = scriptOf(http);
    expect(proposalIn(await propose(token('agent')))).toMatchObject({ phase: 'fulfilled' });
    gateway.gateway.reload(loopbackConfig(config('')));
    expect(proposalIn(await propose(token('agent')))).toMatchObject({ phase: 'pending' });
  });
});

it('O-41, I-1: a gateway killed while uses are spent never allows one too many', async () => {
  await using folder = await temporaryFolder();
  const USES = 6;
  let port = 0;
  for (let life = 0; life < 3; life++) {
    await using gateway = await startChild({ folder: folder.path, port });
    port = gateway.port;
    await using tools = await serveEcho(gateway.ws);
    if (life === 0) await allow(gateway.http, { uses: USES, for: '1h' });
    const { propose } = scriptOf(gateway.http);
    const asked = Array.from({ length: 6 }, () => propose('agent').catch(() => undefined));
    // Halfway, and at the end when all are answered.
    await (life < 2 ? Promise.race(asked) : Promise.all(asked));
    if (life === 2) {
      const { used, ran } = await spentIn(gateway.http);
      expect(used).toBe(USES);
      expect(ran).toBeGreaterThan(0);
      expect(ran).toBeLessThanOrEqual(USES);
      expect(tools.messages).not.toEqual([]);
    }
    await gateway.kill();
  }
});
