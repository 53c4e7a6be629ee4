import { subjectOf } from '@proffer/core';
import { defined, isJsonObject, type JsonObject, objectsIn, sameJson, textOf } from '@proffer/core/json';
import { readDescribed } from '../steward/decision-text.js';
import { factsOf, type ProspectiveServer } from '../steward/facts.js';
import type { HistoryEntry } from './history-entry.js';
import type { PastDecision, PastProposal } from './past-proposal.js';

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
