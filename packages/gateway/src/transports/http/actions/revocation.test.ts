import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../gateway.js';
import { loopbackConfig } from '../../../loopback.js';
import { ask } from '../../../testing/peers/http.js';
import { connectPeer, type Message } from '../../../testing/peers/peer.js';
import { connectRaw } from '../../../testing/peers/raw.js';
import { digestIn, idOf, proposalIn, scriptOf } from '../../../testing/peers/script.js';
import { startTestGateway } from '../../../testing/test-gateway.js';
import { createToken } from '../../../token.js';
import type { DecideAs } from './decide-as.js';

const [agent, reviewer, tools] = [createToken(), createToken(), createToken()];
const who = (name: string, hash: string, may = '"*"') =>
  `  ${name}: { tokens: ["${hash}"], spaces: { main: [${may}] } }\n`;
const participants = (...those: string[]) =>
  `journal: { backend: memory }\nparticipants:\n${who('agent', agent.hash)}${who('tools', tools.hash)}${those.join('')}`;
const isRequest = ({ kind }: Message) => kind.startsWith('mcp.request.');

it.each([
  ['a credential revoked', participants(), '401', 'unauthenticated'],
  [
    'a capability removed',
    participants(who('reviewer', reviewer.hash, 'chat.*')),
    '403',
    'capability_violation',
  ],
])('I-4: %s while the body arrives approves nothing', async (_, after, status, code) => {
  await using gateway = await startTestGateway(participants(who('reviewer', reviewer.hash)));
  await using server = await connectPeer(gateway.ws, tools.token);
  const { propose, base } = scriptOf(gateway.http);
  const proposed = await propose(agent.token, { method: 'tools/list' });
  const body = JSON.stringify({ digest: digestIn(proposed), executor: 'tools' });
  const head = [
    `POST /spaces/main/proposals/${idOf(proposed)}/approve HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${reviewer.token}`,
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  using slow = await connectRaw(gateway.port, `${head.join('\r\n')}\r\n\r\n`);
  // By then the credential has been checked.
  await slow.until('100 Continue');
  gateway.gateway.reload(loopbackConfig(after));
  slow.socket.write(body);
  expect(await slow.until(`"${code}"`)).toContain(`HTTP/1.1 ${status} `);
  const shown = await ask(`${base}/${idOf(proposed)}`, agent.token);
  expect(proposalIn(shown)).toMatchObject({ phase: 'pending' });
  expect(server.messages.filter(isRequest)).toEqual([]);
});

it('I-4: an identity vouched for by a service and revoked during the lookup approves nothing', async () => {
  let decideAs: DecideAs | undefined;
  const started = await startGateway({
    config: loopbackConfig(participants(who('reviewer', reviewer.hash))),
    log: pino({ level: 'silent' }),
    companions: [
      async (context) => {
        decideAs = context.decideAs;
        return { reload: () => {}, close: async () => {} };
      },
    ],
  });
  if (!started.ok) throw new Error(started.refusal.message);
  const gateway = started.value;
  onTestFinished(() => gateway.close());
  const at = `127.0.0.1:${gateway.address.port}`;
  await using server = await connectPeer(`ws://${at}/ws`, tools.token);
  const { propose } = scriptOf(`http://${at}`);
  const proposed = await propose(agent.token, { method: 'tools/list' });
  const deciding = decideAs?.({
    id: 'pressed-1',
    participant: 'reviewer',
    credential: 'slack:T1/U1',
    space: 'main',
    proposal: idOf(proposed),
    decision: 'approve',
    body: { digest: digestIn(proposed), executor: 'tools', seen: { version: 1, executor: 'tools' } },
  });
  gateway.reload(loopbackConfig(participants()));
  expect(await deciding).toMatchObject({ ok: false, refusal: { code: 'unauthenticated' } });
  expect(server.messages.filter(isRequest)).toEqual([]);
});
