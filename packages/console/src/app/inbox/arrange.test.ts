import type { JsonObject } from '@proffer/core/json';
import { type Proposal, readProposalView } from '@proffer/core/operations';
import type { Risk } from '@proffer/core/words';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Proposals } from '../space/proposals.js';
import type { Rights } from '../space/rights.js';
import { Arrangement, type InboxOptions } from './arrange.js';
import { type InboxFilter, NO_FILTER, readFilter, writeFilter } from './filter.js';

const rights = { mayApprove: ({ proposer }) => proposer !== 'stranger' } as Rights;
const RISKS: Readonly<Record<string, Risk['level']>> = { send: 'high', pay: 'some' };
const riskOf: InboxOptions['riskOf'] = ({ subject }) => ({
  level: RISKS[subject?.name ?? ''] ?? 'low',
  headline: '',
  reasons: [],
});
const options: InboxOptions = {
  me: 'ada',
  rights,
  sort: 'newest',
  search: '',
  all: false,
  filter: NO_FILTER,
  riskOf,
};

let version = 0;

function pending(id: string, tool: string, more: JsonObject = {}): Proposal {
  return readProposalView({
    id,
    version: ++version,
    phase: 'pending',
    proposer: 'agent',
    method: 'tools/call',
    params: { name: tool, arguments: {} },
    subject: { list: 'tools', name: tool },
    proposedAt: 0,
    addressees: [],
    rejections: {},
    statuses: {},
    ...more,
  });
}

const add = (proposals: Proposals, proposal: Proposal): void =>
  proposals.add(proposal, { answer: undefined, reason: '' });

/** The inbox as text. */
function read(proposals: Proposals, how: Partial<InboxOptions> = {}): readonly string[] {
  return new Arrangement(proposals).by({ ...options, ...how }).lines.map((line) => {
    if (line.type === 'heading') return `${line.title} · ${line.size}`;
    return line.type === 'batch' ? line.proposals.map(({ id }) => id).join('+') : line.id;
  });
}

it('puts what the user is asked first, and groups similar calls at the position of the first', () => {
  const proposals = new Proposals();
  const given = [
    pending('old', 'pay', { proposedAt: 1 }),
    pending('mine', 'pay', { proposedAt: 2, addressees: ['ada'] }),
    ...[3, 5, 6].map((at) => pending(`w${at}`, 'write', { proposedAt: at })),
    pending('urgent', 'send', { proposedAt: 4, expiresAt: 10 }),
    pending('others', 'pay', { proposer: 'stranger' }),
  ];
  for (const proposal of given) add(proposals, proposal);
  const rest = 'Open to anyone who may decide · 5';
  expect(read(proposals)).toEqual(['Asked of you · 1', 'mine', rest, 'w6+w5+w3', 'urgent', 'old']);
  expect(read(proposals, { sort: 'least time left' })).toEqual([
    'Asked of you · 1',
    'mine',
    rest,
    'urgent',
    'old',
    'w3+w5+w6',
  ]);
  expect(read(proposals, { search: 'PAY', all: true })).toEqual([
    'Asked of you · 1',
    'mine',
    'Open to anyone who may decide · 1',
    'old',
    'For others to decide · 1',
    'others',
  ]);
});

it('lists what passes the filters, and names every agent that waits', () => {
  const proposals = new Proposals();
  const given = [
    pending('mine', 'pay', { proposedAt: 1, addressees: ['ada'] }),
    pending('sent', 'send', { proposedAt: 2 }),
    pending('read', 'look', { proposedAt: 3, proposer: 'other' }),
  ];
  for (const proposal of given) add(proposals, proposal);
  const ids = (filter: InboxFilter): readonly string[] =>
    read(proposals, { filter }).filter((line) => !line.includes(' · '));
  expect(ids(NO_FILTER)).toEqual(['mine', 'read', 'sent']);
  expect(ids({ agent: 'agent' })).toEqual(['mine', 'sent']);
  expect(ids({ risk: 'high' })).toEqual(['sent']);
  expect(ids({ isAsked: true })).toEqual(['mine']);
  expect(ids({ agent: 'other', risk: 'high' })).toEqual([]);
  const arrangement = new Arrangement(proposals);
  expect(arrangement.by({ ...options, filter: { agent: 'other' } }).agents).toEqual(['agent', 'other']);
  // A server describes its tool differently: what is listed for its risk follows.
  const filter: InboxFilter = { risk: 'high' };
  expect(arrangement.by({ ...options, filter }).entries).toHaveLength(1);
  const low: Risk = { level: 'low', headline: '', reasons: [] };
  expect(arrangement.by({ ...options, filter, riskOf: () => low }).entries).toHaveLength(0);
});

it('keeps filters in the query of a URL, and ignores what it does not know', () => {
  for (const filter of [{}, { agent: 'a&b=ä' }, { risk: 'some', isAsked: true }] satisfies InboxFilter[])
    expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter);
  expect(readFilter(new URLSearchParams('risk=toString&asked=you&agent=&code=1'))).toEqual({});
});

it('equals a fresh arrangement after any changes', () => {
  const change = fc.record({
    id: fc.integer({ min: 0, max: 12 }),
    tool: fc.constantFrom('a', 'b', 'c'),
    isPending: fc.boolean(),
    proposer: fc.constantFrom('agent', 'other', 'stranger'),
    addressees: fc.constantFrom<readonly string[]>([], ['ada']),
    rejectedBy: fc.constantFrom<readonly string[]>([], [], ['ada']),
    proposedAt: fc.integer({ min: 0, max: 3 }),
    expiresAt: fc.constantFrom(undefined, 5, 9),
    sort: fc.constantFrom<InboxOptions['sort']>('newest', 'newest', 'least time left'),
    all: fc.boolean(),
    filter: fc.constantFrom<InboxFilter>(NO_FILTER, NO_FILTER, { agent: 'other' }, { isAsked: true }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const proposals = new Proposals();
      const arrangement = new Arrangement(proposals);
      for (const { id, tool, isPending, rejectedBy, sort, all, filter, expiresAt, ...more } of changes) {
        const rejections = Object.fromEntries(rejectedBy.map((name) => [name, { at: 0, reason: 'unsafe' }]));
        const phase = isPending ? 'pending' : 'withdrawn';
        add(proposals, pending(`p${id}`, tool, { ...more, rejections, phase, expiresAt }));
        const how = { ...options, sort, all, filter };
        const arranged = arrangement.by(how);
        expect(arranged).toEqual(new Arrangement(proposals).by(how));
        expect(arrangement.by({ ...how })).toBe(arranged);
      }
    }),
  );
});
