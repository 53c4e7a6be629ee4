import { connect, type Participant } from '@proffer/client';
import { devAgent, httpTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';
import type { JsonObject } from '@proffer/core/json';
import { propose } from './proposing.js';
import { decideAlike, showRules } from './ruled.js';

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

const handler = (): string => 'Done.';

const TOOLS = [
  {
    name: 'write_file',
    description: 'Writes a file; one of the same name is replaced.',
    inputSchema: object({ path: text, content: text }, ['path', 'content']),
    annotations: { destructiveHint: true },
    handler,
  },
  {
    name: 'edit_file',
    description: 'Replaces text in a file. Paths outside the allowed folders are refused.',
    inputSchema: object({ path: text, edits: { type: 'array' }, dryRun: { type: 'boolean' } }, [
      'path',
      'edits',
    ]),
    annotations: { destructiveHint: true },
    handler,
  },
  {
    name: 'create_issue',
    description: 'Opens an issue in a repository.',
    inputSchema: object({ repository: text, title: text }, ['repository', 'title']),
    annotations: { destructiveHint: false, openWorldHint: true },
    handler,
  },
  {
    name: 'read_mail',
    description: 'Reads the newest mails of a mailbox.',
    inputSchema: object({ mailbox: text, limit: { type: 'integer' } }, ['mailbox']),
    annotations: { readOnlyHint: true, openWorldHint: true },
    handler,
  },
];

const LIMITS = 'requests:\n  per_minute: 600\n  burst: 50';

/**
 * An ordinary morning: the content of the screenshots. Resolves with the negotiation and a function to leave.
 */
export async function playScene(
  url: string,
): Promise<{ readonly session: string; readonly edited: string; readonly leave: () => Promise<void> }> {
  const join = (token: string) => connect({ url, token, space: 'main' });
  const people = await Promise.all(
    ['filesystem', 'builder', 'triage', 'reviewer', 'ops-bot', 'files-guard'].map(join),
  );
  const [server, builder, triage, reviewer, bot, guard] = people as [Participant, ...Participant[]] &
    Participant[];
  if (
    builder === undefined ||
    triage === undefined ||
    reviewer === undefined ||
    bot === undefined ||
    guard === undefined
  )
    throw new Error('Somebody is missing.');
  await server.serve(TOOLS);
  await showRules(guard);
  for (let place = 0; place < 9; place++) {
    const edits = [{ oldText: 'a: 1', newText: `a: ${place}` }];
    const given = { path: `/home/ada/app/config/part-${place}.yaml`, edits };
    const id = await propose(builder, 'edit_file', given, place % 4 === 2 ? { onRejection: 'withdraw' } : {});
    if (place % 4 === 2) await reviewer.reject(id, 'unsafe', 'not on a Friday');
    else await reviewer.fulfil({ id, method: 'tools/call' }, { name: 'edit_file', arguments: given });
  }
  await decideAlike(triage, reviewer);
  await showRules(server);
  await propose(triage, 'read_mail', { mailbox: 'finance@example.com', limit: 20 }, { ttl: 3_480_000 });
  for (const title of ['Login fails on Safari', 'Raise the rate limit', 'Dark theme', 'Flaky test'])
    await propose(triage, 'create_issue', { repository: 'acme/app', title }, { ttl: 1_440_000 });
  await propose(builder, 'write_file', { path: '/home/ada/app/notes.md', content: '# Notes\n' });
  const edited = await propose(
    builder,
    'edit_file',
    {
      path: '/srv/app/config/limits.yaml',
      edits: [{ oldText: LIMITS, newText: LIMITS.replace('600', '6000') }],
    },
    { to: ['reviewer'], ttl: 1_200_000, reason: 'The load test fails at 600 requests per minute.' },
  );
  await bot.status(edited, 'considering', 'checking the staging host');
  const session = await negotiate(url);
  return { session, edited, leave: async () => void (await Promise.all(people.map((one) => one.close()))) };
}

async function negotiate(url: string): Promise<string> {
  const party = (name: string) => new MacpClient({ transport: httpTransport({ url }), auth: devAgent(name) });
  await using buying = party('buyer');
  await using selling = party('seller');
  await using buyer = new ProposalSession(buying);
  const participants = ['buyer', 'seller', 'reviewer'];
  await buyer.start({ intent: 'A service contract for the coming year', participants, ttlMs: 3_600_000 });
  await using seller = await ProposalSession.join(selling, buyer.sessionId);
  await seller.propose('standard', 'Standard package', { summary: '$100k a year, basic SLA' });
  await buyer.refresh();
  await buyer.counterPropose('better', 'standard', 'Better package', {
    summary: '$80k a year, 24/7 support',
  });
  await seller.refresh();
  await seller.counterPropose('middle', 'better', 'In the middle', { summary: '$90k, business hours' });
  await buyer.refresh();
  await buyer.accept('middle', { reason: 'good for us' });
  await seller.accept('middle');
  return buyer.sessionId;
}
