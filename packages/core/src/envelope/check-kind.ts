import type { JsonValue } from '../json/json.js';
import { GATEWAY } from './envelope.js';
import { type Fault, fieldFault } from './fault.js';
import { type Kind, parseKind } from './kind.js';
import { KINDS_OF_PROTOCOL } from './kinds.js';

const SYSTEM = /^system(?![\w-])/i;
const PATTERN = 'PROTOCOL.OPERATION[.METHOD[:CONTEXT]], such as mcp.request.tools/call';

/** Kinds that people try although they do not exist, and what they should send. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['fulfil', 'Fulfil by sending the request itself, with the id of the proposal as its correlation id.'],
  ['fulfill', 'Fulfil by sending the request itself, with the id of the proposal as its correlation id.'],
  ['withdraw', 'Withdraw with mcpx.withdraw.proposal.'],
  ['cancel', 'Withdraw with mcpx.withdraw.proposal.'],
  ['reject', 'Reject with mcpx.reject.proposal.'],
  ['decline', 'Reject with mcpx.reject.proposal.'],
  ['status', 'Report with mcpx.status.proposal.'],
]);

const OWN_STREAM = 'Only the participant that opened a stream writes to it; let the other one open its own.';

/** Kinds of mew that tell the gateway to do something it does not do: if carried, they would look done. */
const NO_EFFECT: ReadonlyMap<string, string> = new Map([
  ['stream.open', 'Only the gateway sends it, in answer to stream/request.'],
  ['stream.grant-write', OWN_STREAM],
  ['stream.revoke-write', OWN_STREAM],
  ['stream.transfer-ownership', OWN_STREAM],
  ['capability.grant', 'Grant with mcpx.grant.capability.'],
  ['capability.revoke', 'Revoke with mcpx.revoke.capability.'],
  ['space.invite', 'Participants are defined in the configuration of the gateway.'],
  [
    'space.kick',
    'Take the participant out of the configuration of the gateway, which then ends its connections.',
  ],
]);

/**
 * The first fault of a kind itself, before the payload is checked. `system.*` is reserved for the
 * gateway (O-6), however it is spelled; protocols that Proffer knows have only the operations it
 * knows. Kinds of other protocols are carried.
 */
export function checkKind(kind: JsonValue | undefined, sender: string): Fault | undefined {
  if (typeof kind !== 'string') return fieldFault('kind', kind, PATTERN);
  if (goodKinds.has(kind)) return undefined;
  const fault = checkUnknown(kind, sender);
  if (fault === undefined && sender !== GATEWAY && kind.length <= LONGEST_KEPT) {
    if (goodKinds.size === MAX_KEPT) goodKinds.clear();
    goodKinds.add(kind);
  }
  return fault;
}

// Kinds found valid before: the same few recur. The cache is limited, since senders choose them.
const goodKinds = new Set<string>();
const MAX_KEPT = 1000;
const LONGEST_KEPT = 200;

function checkUnknown(kind: string, sender: string): Fault | undefined {
  if (sender !== GATEWAY && SYSTEM.test(kind)) {
    return { code: 'reserved_kind', field: 'kind', found: kind, expected: 'a kind other than system.*' };
  }
  const parsed = parseKind(kind);
  if (parsed === undefined) return fieldFault('kind', kind, PATTERN, remedyForWord(kind));
  return checkOperation(kind, parsed);
}

function checkOperation(kind: string, { protocol, operation, method }: Kind): Fault | undefined {
  const instead = NO_EFFECT.get(`${protocol}.${operation}`);
  if (instead !== undefined) return fieldFault('kind', kind, 'a kind that this gateway carries out', instead);
  const kinds = KINDS_OF_PROTOCOL.get(protocol.toLowerCase());
  if (kinds === undefined) return undefined;
  const exists = kinds.some((known) =>
    known.includes('METHOD') ? known.startsWith(`${protocol}.${operation}.`) : known === kind,
  );
  if (exists) return undefined;
  const remedy = REMEDIES.get(operation) ?? (method === undefined ? undefined : REMEDIES.get(method));
  return fieldFault('kind', kind, `one of ${kinds.join(', ')}`, remedy);
}

function remedyForWord(kind: string): string | undefined {
  if (kind !== 'mcp') return undefined;
  return 'Say whether it is a request, a response or a proposal; withdraw a proposal with mcpx.withdraw.proposal.';
}
