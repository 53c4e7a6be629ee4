import type { Envelope } from '../../envelope/envelope.js';
import { formatKind, subjectOf } from '../../envelope/kind.js';
import { sha256 } from '../../hash/sha256.js';
import type { JsonObject } from '../../json/json.js';
import type { Proposal } from './proposal.js';

/**
 * The request that an approval implies. Its id is derived from both messages and is one that no
 * participant can use, so that no one answers it before it exists.
 *
 * @param approval - the approving message, with the addressees of the request
 */
export function derivedRequest(
  { id, method }: Pick<Proposal, 'id' | 'method'>,
  params: JsonObject | undefined,
  approval: Pick<Envelope, 'protocol' | 'id' | 'from' | 'ts'> & { readonly to: readonly string[] },
): Envelope {
  const { protocol, from, ts, to } = approval;
  const unique = `system:${sha256(JSON.stringify(['approval', id, approval.id])).slice(0, 32)}`;
  const context = subjectOf(method, params)?.name;
  return {
    protocol,
    id: unique,
    ts,
    from,
    ...(to.length === 0 ? {} : { to }),
    kind: formatKind({
      protocol: 'mcp',
      operation: 'request',
      method,
      ...(context === undefined ? {} : { context }),
    }),
    correlationId: id,
    payload: {
      jsonrpc: '2.0',
      ...(method.startsWith('notifications/') ? {} : { id: unique }),
      method,
      ...(params === undefined ? {} : { params }),
    },
  };
}
