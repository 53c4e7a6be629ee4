import { type Envelope } from '@proffer/core';
import { canonicalJson, type JsonObject } from '@proffer/core/json';
import {
  decideInSpace,
  emptySpace,
  evolveSpace,
  type OperationRecord,
  type SpaceDecision,
  type SpaceState,
  spaceSettings,
  viewSpace,
} from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import type { Journal } from './journal.js';
import { opened } from './local/testing/open.js';
import { useTemporaryFolder } from './local/testing/temporary-folder.js';
import { createMemoryJournal } from './memory/index.js';
import type { StoredRecord } from './stored-record.js';

/** What a gateway does with a journal, and nothing else: fold, decide, append; on a conflict, repeat. */
class Gateway {
  #space: SpaceState = emptySpace(spaceSettings({ name: 'main' }));
  #seen = 0;
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The state, as its canonical text. */
  get state(): string {
    return canonicalJson(viewSpace(this.#space));
  }

  async catchUp(): Promise<void> {
    for await (const record of this.#journal.feed('main', this.#seen, { follow: false })) {
      if (record.seq <= this.#seen) throw new Error('A feed went back.');
      this.#space = evolveSpace(this.#space, record as StoredRecord<OperationRecord>);
      this.#seen = record.seq;
    }
  }

  async send(envelope: Envelope): Promise<SpaceDecision> {
    for (;;) {
      const decision = decideInSpace(this.#space, envelope, { now: 1000, isPresent: () => true });
      const outcomes = await Promise.all(
        (decision.appends ?? []).map(({ stream, expectedVersion, records }) =>
          this.#journal.append(stream, expectedVersion, records),
        ),
      );
      await this.catchUp();
      if (outcomes.every(({ status }) => status === 'appended')) return decision;
    }
  }
}

function message(from: string, id: string, kind: string, payload: JsonObject, about?: string): Envelope {
  const to = about === undefined ? {} : { correlationId: about, to: ['tools'] };
  return { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', id, from, kind, payload, ...to };
}

const CALL = { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/tmp/a' } } };
const propose = (id: string) => message('agent', id, 'mcp.proposal.tools/call:write_file', CALL);
const fulfil = (id: string, from: string, proposal: string) =>
  message(from, id, 'mcp.request.tools/call', { jsonrpc: '2.0', id: 1, ...CALL }, proposal);

describe('gateways on one journal', () => {
  const temporaryFolder = useTemporaryFolder();

  it.each([
    ['memory', () => Promise.resolve(createMemoryJournal())],
    ['local', async () => opened(await temporaryFolder(), { segmentBytes: 2000 })],
  ])('O-12, O-4, I-2, I-3: the first fulfilment wins, and all reach the same state: %s', async (_, open) => {
    const journal = await open();
    const [one, two] = [new Gateway(journal), new Gateway(journal)];
    for (let round = 0; round < 10; round++) {
      const proposal = `p-${round}`;
      await one.send(propose(proposal));
      await two.catchUp();
      const decisions = await Promise.all([
        one.send(fulfil(`f-${round}-one`, 'reviewer', proposal)),
        two.send(fulfil(`f-${round}-two`, 'deputy', proposal)),
      ]);
      expect(decisions.map(({ refused }) => refused?.code)).toEqual([undefined, 'proposal_not_pending']);
    }
    await Promise.all([one.catchUp(), two.catchUp()]);
    const replayed = new Gateway(journal);
    await replayed.catchUp();
    expect(two.state).toBe(one.state);
    expect(replayed.state).toBe(one.state);
    await journal.close();
  });
});
