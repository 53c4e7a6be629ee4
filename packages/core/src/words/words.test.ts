import { describe, expect, it } from 'vitest';
import { PROPOSAL_STATUSES } from '../envelope/payloads/lifecycle.js';
import { defined } from '../json/defined.js';
import { evolveProposal } from '../operations/proposal/evolve-proposal.js';
import type { Proposal } from '../operations/proposal/proposal.js';
import { REJECTION_REASONS } from '../operations/proposal/rejection.js';
import { isProposalRecord } from '../operations/records.js';
import { deliveredEnvelope } from '../operations/routing/delivery.js';
import { playHistory } from '../operations/testing/fuzz/history.js';
import { entry, reviewed } from '../operations/testing/reviewed.js';
import { approve, propose, reject } from '../operations/testing/world.js';
import { describeDecision } from './decision.js';
import { describeEnding } from './ending.js';
import { describeNotice, describeStanding, describeState, describeStep, quoteReason } from './index.js';
import { PLAIN, type Voice } from './voice.js';

/** Ann reads. */
const ANN: Voice = { ...PLAIN, name: (name) => (name === 'ann' ? 'you' : PLAIN.name(name)) };

/** What nobody should read: an enum's name, or a hole in a sentence. */
const RAW =
  /_|\b(?:undefined|null|NaN|fulfilled|settled|incapable|resource_limit|no_answer|veto|final)\b|\[object|\(\)|“”| {2}| [.,;:]/;

/** Names and ids of the histories, which are not ours. */
const FOREIGN = /write_file|[a-z]+_\d+/g;

function readable(sentence: string): void {
  expect(sentence.replaceAll(FOREIGN, '')).not.toMatch(RAW);
}

describe('O-45: one set of words', () => {
  it('O-45: every step, state, ending and notice of random histories reads as a sentence, to everyone', () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      const proposals = new Map<string, Proposal>();
      for (const { record } of playHistory(seed).journal) {
        if (!isProposalRecord(record)) continue;
        const { proposal: id } = record.facts;
        const proposal = evolveProposal(proposals.get(id), record);
        proposals.set(id, proposal);
        const { payload, to } = deliveredEnvelope(record);
        for (const voice of [PLAIN, ANN]) {
          const { what } = describeStep(
            { type: record.type, facts: record.facts, payload, ...defined({ to }) },
            voice,
          );
          const said = [
            what,
            describeState(proposal).word,
            describeDecision(proposal, voice) ?? '',
            ...describeStanding(proposal, record.time, voice),
          ];
          said.forEach(readable);
          expect(said.join('\n')).not.toMatch(/\byou (?:is|does|has|decides)\b|[a-z] You\b/);
        }
        seen.add(record.type);
        if (proposal.ending !== undefined) seen.add(proposal.ending.why);
      }
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  it.each([...REJECTION_REASONS, ...PROPOSAL_STATUSES])('O-45: says “%s” in words', (name) => {
    const step = (type: string, payload: object) =>
      describeStep({ type, facts: {}, payload: { ...payload } }, PLAIN).what;
    const said = (REJECTION_REASONS as readonly string[]).includes(name)
      ? step('rejected', { reason: name })
      : step('status_reported', { status: name });
    readable(said);
  });

  it('O-45: what a newer gateway records is not shown by its name', () => {
    expect(describeStep({ type: 'new_thing', facts: {}, payload: {} }, PLAIN).what).not.toContain(
      'new_thing',
    );
    expect(describeNotice({ notice: 'new_thing' }, PLAIN)).not.toContain('new_thing');
  });

  it('O-45: quotes a reason with its message, and a message alone', () => {
    expect(quoteReason({ reason: 'unsafe', message: 'not on a\nFriday' }, PLAIN)).toBe(
      '“Unsafe: not on a ↵ Friday”',
    );
    expect(quoteReason({ reason: 'other', message: 'ask Bob' }, PLAIN)).toBe('“ask Bob”');
    expect(quoteReason({ reason: 'too\u200b late' }, PLAIN)).toBe('“too\\u{200b} late”');
  });
});

describe('O-45: endings that were confused', () => {
  const endingOf = (world: ReturnType<typeof reviewed>, voice = PLAIN): string => {
    const { ending } = world.proposal('p1');
    return ending === undefined ? '' : describeEnding(ending, voice);
  };

  it('O-45, O-31: a veto is not “everybody rejected it”', () => {
    const world = reviewed([entry({ veto: true })]);
    world.send(reject('r1', 'p1', 'ann'));
    expect(endingOf(world)).toBe(
      'ann rejected this call: “Unsafe”. Under the policy writes, a single rejection declines it.',
    );
    expect(endingOf(world, ANN)).toMatch(/^You rejected this call/);
  });

  it('O-45, O-33: an escalation that ends after one approval is not “nobody decided”', () => {
    const world = reviewed([entry({ escalate: [{ after: 1_000, to: [] }] })]);
    world.send(approve('a1', 'p1', { from: 'bob' }));
    world.now += 1_000;
    world.review('p1');
    expect(endingOf(world)).toBe(
      'Not enough people approved this call in time; bob did. There is nobody left to ask.',
    );
  });

  it('O-45, O-37: an approval that no longer counts is not “nobody decided in time”', () => {
    const ending = {
      why: 'not_allowed_now',
      approver: 'ann',
      code: 'capability_violation',
      message: 'No.',
    } as const;
    expect(describeEnding(ending, PLAIN)).toBe(
      'ann approved this call, but by the time it was about to run it was no longer allowed: No.',
    );
  });

  it('O-45, O-19: an expired call says who had decided', () => {
    const world = reviewed();
    world.send(propose('p2', { ttl: 1_000 }));
    world.send(reject('r1', 'p2', 'cleo', 'disagree'));
    world.now += 1_000;
    world.review('p2');
    expect(describeDecision(world.proposal('p2'), PLAIN)).toBe(
      'Nobody approved this call in time. cleo rejected it.',
    );
  });
});

describe('what is known about a pending proposal', () => {
  const pending = (changes: Partial<Proposal>): readonly string[] => {
    const proposal = { ...reviewed([]).proposal('p1'), proposedAt: 0, digest: 'd', ...changes };
    return describeStanding(proposal, changes.changedAt ?? 0, PLAIN);
  };
  const approval = (by: string) => ({
    by,
    digest: 'd',
    given: 1,
    needed: 2,
    missing: ['role:finance'],
    at: 0,
  });

  it('O-29, O-33: names who approved, who is missing, and who is asked now', () => {
    const changes = { approvals: [approval('a\u200bnn')], escalatedTo: ['role:bosses'] };
    expect(pending(changes)).toEqual([
      '1 of 2 approvals, waiting for anyone in finance or anyone in bosses (approved by a\\u{200b}nn)',
      'escalated to anyone in bosses',
    ]);
    expect(pending({ ...changes, phase: 'withdrawn' })).toEqual([]);
  });

  it('O-49: says that approvals have to be signed', () => {
    const review = { entry: 'payments', needed: 1, from: ['role:finance'] };
    expect(pending({ review })).toEqual(['0 of 1 approvals, waiting for anyone in finance']);
    const signed = '0 of 1 signed approvals, waiting for anyone in finance';
    expect(pending({ review: { ...review, signed: true } })).toEqual([signed]);
  });

  it('O-34: names who may decide for whom, while that lasts', () => {
    const delegations = [{ by: 'ann', to: 'bob', until: 5_000 }];
    expect(pending({ delegations })).toEqual(['bob may decide for ann until 1970-01-01T00:00:05.000Z']);
    expect(pending({ delegations, changedAt: 5_000 })).toEqual([]);
  });

  it.each([
    ['with a tenth of its time left', 600_000, 545_000, ['expires in 55 s']],
    ['with ten seconds left', 30_000, 21_000, ['expires in 9 s']],
    ['not before', 600_000, 500_000, []],
    ['and not once it has ended', 600_000, 700_000, []],
  ])('O-36: says that it expires soon: %s', (_, expiresAt, changedAt, expected) => {
    expect(pending({ expiresAt, changedAt })).toEqual(expected);
  });
});
