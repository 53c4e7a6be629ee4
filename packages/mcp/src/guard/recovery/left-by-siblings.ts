import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import { createCallIds, type GatedCallFacts, qualifiedName } from '../asked/index.js';
import { factsInArchive } from './archived-facts.js';
import type { CallMemory } from './kept-facts.js';
import type { ProposalArchive } from './proposal-archive.js';

/** Who looks for the calls of other guards of the same server. */
export interface SiblingOptions {
  readonly archive: ProposalArchive;
  /** The guard's own name. */
  readonly proposer: string;
  readonly server: string;
  readonly identity: string;
  /** What guards of this server stored about their calls. */
  readonly memory: CallMemory;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A call of another guard of the same server with an unknown outcome, as if it had been made here. */
export interface LeftBySibling {
  readonly proposal: JsonObject;
  readonly facts: GatedCallFacts;
}

/**
 * Calls of other guards of the same server with an unknown outcome that no caller was told (O-23): several that run at
 * once have the names `SERVER`, `SERVER-2` …, and a caller that repeats a call may reach another one of them. Only
 * calls that any client may join; empty for a guard with another name, since it does not share them.
 */
export async function* leftBySiblings(options: SiblingOptions): AsyncGenerator<LeftBySibling> {
  const { archive, proposer: own, server, identity, memory, now } = options;
  if (!isNameOf(server, own)) return;
  const { key: ownKey, isOwn } = createCallIds({ principal: own, server, identity }, now);
  for await (const proposal of archive.open({})) {
    const id = textAt(proposal, 'id');
    const proposer = textAt(proposal, 'proposer');
    const isSibling = proposer !== own && isNameOf(server, proposer) && isOwn(id);
    const isUnknown = objectAt(proposal, 'outcome')['result'] === 'unknown';
    if (!isSibling || !isUnknown || memory.has({ type: 'heard', id })) continue;
    const facts = factsInArchive(proposal, qualifiedName(proposer, server, ''), now);
    const { tool, arguments: args } = facts;
    const theirs = createCallIds({ principal: proposer, server, identity }, now);
    if (theirs.key(tool, args) === facts.key)
      yield { proposal, facts: { ...facts, key: ownKey(tool, args) } };
  }
}

function isNameOf(server: string, name: string): boolean {
  return name === server || (name.startsWith(`${server}-`) && /^\d+$/.test(name.slice(server.length + 1)));
}
