import { defined, isJsonObject, type JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import { type GatedCallFacts, keyOfProposal, originIn } from '../asked/index.js';

/**
 * The facts of a proposal of an earlier run.
 *
 * @param prefix - of the guard's tool names in the space
 * @param now - for a proposal without a creation time
 */
export function factsInArchive(proposal: JsonObject, prefix: string, now: number): GatedCallFacts {
  const { params, proposedAt, expiresAt } = proposal;
  const id = textAt(proposal, 'id');
  const name = textAt(objectAt(proposal, 'params'), 'name');
  const origin = originIn(proposal);
  return {
    id,
    key: keyOfProposal(id) ?? '',
    tool: name.startsWith(prefix) ? name.slice(prefix.length) : name,
    arguments: isJsonObject(params) ? objectAt(params, 'arguments') : {},
    createdAt: typeof proposedAt === 'number' ? proposedAt : now,
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...defined({ origin }),
  };
}
