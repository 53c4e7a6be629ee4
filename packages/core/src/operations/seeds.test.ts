import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../envelope/dialects/dialect.js';
import { correlationIds, type Envelope } from '../envelope/envelope.js';
import { decodeEnvelope, encodeEnvelope } from '../envelope/read.js';
import { textOf } from '../json/fields.js';
import type { OperationRecord } from './records.js';
import { deliveredEnvelope } from './routing/delivery.js';
import { createWorld, propose } from './testing/world.js';

interface Fixture {
  readonly dialect: DialectName;
  readonly expect: { readonly envelope?: Envelope };
}

const folder = fileURLToPath(new URL('../../../../conformance/fixtures/seeds/', import.meta.url));
const readable = readdirSync(folder).flatMap((file) => {
  const { dialect, expect: expected } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Fixture;
  return expected.envelope === undefined ? [] : [{ file, dialect, envelope: expected.envelope }];
});

/** What each kind of message becomes in a space where everything it refers to exists. */
const BECOMES: readonly (readonly [string, OperationRecord['type']])[] = [
  ['mcp.proposal.', 'proposed'],
  ['mcp.request.', 'fulfilled'],
  ['mcpx.withdraw.', 'withdrawn'],
  ['mcpx.reject.', 'rejected'],
  ['mcpx.status.', 'status_reported'],
];

/** A space with the participants of a message, and the proposal it is about. */
function spaceFor({ from, to = [], kind, payload, ...envelope }: Envelope) {
  const world = createWorld([
    from,
    ...to,
    'proposer',
    'tools',
    'agent-1',
    'agent-2',
    'trusted-agent',
    'filesystem-agent',
  ]);
  const proposer = kind.startsWith('mcpx.withdraw.') ? from : 'proposer';
  const params = kind.startsWith('mcp.request.') ? payload['params'] : undefined;
  for (const id of correlationIds({ from, kind, payload, ...envelope })) {
    world.send(propose(id, params === undefined ? {} : { params }, {}, proposer));
  }
  return world;
}

describe('decisions on the examples of the drafts', () => {
  it.each(readable)('O-7, O-11, O-15, O-17: $file', ({ dialect, envelope }) => {
    const world = spaceFor(envelope);
    const isUnaddressed = envelope.kind.startsWith('mcp.request.') && (envelope.to ?? []).length === 0;
    const message = isUnaddressed ? { ...envelope, to: ['tools'] } : envelope;
    const decision = world.send(message);
    const [, type] = BECOMES.find(([prefix]) => envelope.kind.startsWith(prefix)) ?? [];
    expect(world.types(decision)).toContain(type);

    const record = world.records.find(({ envelope: { id } }) => id === envelope.id);
    if (record === undefined) throw new Error('the message is not in the records');
    const again = decodeEnvelope(encodeEnvelope(deliveredEnvelope(record), dialect), {
      from: textOf(message.from),
      now: 0,
    });
    expect(again).toMatchObject({ ok: true, value: { dialect, envelope: message } });
  });
});
