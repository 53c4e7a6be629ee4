import { correlationIds, type Envelope, subjectOf } from '@proffer/core';
import { defined, isJsonObject, type JsonObject, objectsIn, sameJson, textOf } from '@proffer/core/json';
import type { CallFacts } from '../rules/call-facts.js';
import { readDescribed } from '../steward/decision-text.js';
import { factsOf, type ProspectiveServer } from '../steward/facts.js';

/** Rejections for these reasons are about the rejecter, not about the call (O-17). */
const NO_JUDGEMENT = new Set(['busy', 'incapable', 'timeout', 'resource_limit', 'duplicate']);

interface Unfolded {
  readonly proposed: HistoryEntry;
  readonly method: string;
  readonly params?: JsonObject;
  server: ProspectiveServer | undefined;
  readonly judgedByRules: Set<string>;
  fulfilled?: PastDecision;
  rejected?: PastDecision;
}

/**
 * The proposals in a history with the decisions about them, in the order they were made. Pure. A
 * fulfilment outweighs rejections; of several rejections the last counts. Proposals that no rule can
 * judge (their arguments are not an object) are left out.
 */
export function pastProposals(entries: Iterable<HistoryEntry>): readonly PastProposal[] {
  const proposals = new Map<string, Unfolded>();
  const tools = new Map<string, ReadonlyMap<string, JsonObject>>();
  for (const entry of entries) {
    const { type, principal, envelope, facts = {} } = entry;
    if (type === 'announced') {
      if (envelope.kind === 'mcpx.announce.tools') tools.set(principal, toolsIn(envelope.payload));
      continue;
    }
    const id = type === 'proposed' ? envelope.id : facts['proposal'];
    if (typeof id !== 'string') continue;
    if (type === 'proposed') proposals.set(id, begin(entry, tools));
    else take(proposals.get(id), entry, tools);
  }
  return [...proposals].flatMap(([id, { proposed, method, params, server, fulfilled, rejected }]) => {
    const operation = { proposer: proposed.principal, method, ...defined({ params }) };
    const call = factsOf(operation, server, proposed.time);
    const isDisputed = fulfilled !== undefined && rejected !== undefined && rejected.by !== fulfilled.by;
    const decided = isDisputed ? { ...fulfilled, disputed: true as const } : (fulfilled ?? rejected);
    return call === undefined ? [] : [{ id, call, ...defined({ decided }) }];
  });
}

type Tools = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

function begin(proposed: HistoryEntry, tools: Tools): Unfolded {
  const { method, params } = proposed.envelope.payload;
  const given = isJsonObject(params) ? { params } : {};
  const operation = { method: textOf(method), ...given };
  const name = nameIn(operation.method, given.params);
  const serving = [...tools].filter(([, served]) => name !== undefined && served.has(name));
  const [only, ...others] = serving.map(([server]) => server);
  const server = only === undefined || others.length > 0 ? undefined : serverNamed(only, name, tools);
  return { proposed, ...operation, server, judgedByRules: new Set() };
}

function take(proposal: Unfolded | undefined, entry: HistoryEntry, tools: Tools): void {
  if (proposal === undefined) return;
  const { type, principal: by, time: at, envelope, facts = {} } = entry;
  const { message, reason, params, method } = envelope.payload;
  const isByRules = readDescribed(message) !== undefined;
  if (type === 'status_reported' && isByRules) proposal.judgedByRules.add(by);
  if (type === 'rejected' && typeof reason === 'string' && !NO_JUDGEMENT.has(reason)) {
    proposal.rejected = { decision: 'deny', by, at, automatic: isByRules, reason };
  }
  if (type !== 'fulfilled' || proposal.fulfilled !== undefined || method !== proposal.method) return;
  const ran = isJsonObject(params) ? params : undefined;
  if (nameIn(proposal.method, ran) !== nameIn(proposal.method, proposal.params)) return;
  const decision = sameJson(ran, proposal.params) ? 'allow' : 'amend';
  const { executor, grant } = facts;
  // No one decided a call that a grant allowed.
  const automatic = grant !== undefined || proposal.judgedByRules.has(by);
  proposal.fulfilled = { decision, by, at, automatic };
  if (typeof executor === 'string') {
    proposal.server = serverNamed(executor, nameIn(proposal.method, proposal.params), tools);
  }
}

function nameIn(method: string, params: JsonObject | undefined): string | undefined {
  return subjectOf(method, params)?.name;
}

function serverNamed(name: string, tool: string | undefined, tools: Tools): ProspectiveServer {
  const annotations = tool === undefined ? undefined : tools.get(name)?.get(tool)?.['annotations'];
  return { name, ...(isJsonObject(annotations) ? { annotations } : {}) };
}

function toolsIn({ tools }: JsonObject): ReadonlyMap<string, JsonObject> {
  const definitions = objectsIn(tools);
  return new Map(
    definitions.flatMap((tool) => (typeof tool['name'] === 'string' ? [[tool['name'], tool]] : [])),
  );
}

/**
 * What was decided about a proposal. `amend`: it ran with changed arguments, so the original proposal
 * was neither allowed nor denied.
 */
export interface PastDecision {
  readonly decision: 'allow' | 'deny' | 'amend';
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Decided by rules, not by a person. */
  readonly automatic: boolean;
  /** The call ran although someone else had rejected it: no rule follows from that. */
  readonly disputed?: true;
  /** Of a rejection. */
  readonly reason?: string;
}

/** A past proposal, as rules would have seen it. */
export interface PastProposal {
  readonly id: string;
  readonly call: CallFacts;
  /** Absent if no one decided: it was withdrawn, expired, or is pending. */
  readonly decided?: PastDecision;
}

/**
 * One event in a space, as far as the history of decisions needs it. A journal's operation records
 * are valid entries.
 */
export interface HistoryEntry {
  /** As in a record: `proposed`, `fulfilled`, `rejected`, `announced` …; others are skipped. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly principal: string;
  readonly envelope: Envelope;
  readonly facts?: JsonObject;
}

const TYPES: readonly (readonly [prefix: string, type: string])[] = [
  ['mcp.proposal.', 'proposed'],
  ['mcp.request.', 'fulfilled'],
  ['mcpx.reject.proposal', 'rejected'],
  ['mcpx.status.proposal', 'status_reported'],
  ['mcpx.announce.tools', 'announced'],
];

/** A message from a feed, with the time it was accepted if the feed has it. */
export type FeedMessage = Envelope & { readonly time?: number };

/**
 * A feed message as an entry; `undefined` for irrelevant ones. A feed does not say who runs a
 * request, and may not say when it was accepted: `to` and the sender's clock are used instead.
 */
export function entryOfMessage(message: FeedMessage): HistoryEntry | undefined {
  const type = TYPES.find(([prefix]) => message.kind.startsWith(prefix))?.[1];
  if (type === undefined) return undefined;
  const [proposal] = type === 'proposed' ? [message.id] : correlationIds(message);
  if (type !== 'announced' && proposal === undefined) return undefined;
  const [executor, ...others] = message.to ?? [];
  const { grant } = message.payload;
  const facts = {
    ...defined({ proposal }),
    ...(type === 'fulfilled' && executor !== undefined && others.length === 0 ? { executor } : {}),
    ...(type === 'fulfilled' && typeof grant === 'string' ? { grant } : {}),
  };
  const time = message.time ?? Date.parse(message.ts);
  return { type, time, principal: message.from, envelope: message, facts };
}
