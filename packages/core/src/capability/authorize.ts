import type { Envelope } from '../envelope/envelope.js';
import { completeKind } from '../envelope/kind.js';
import { quote } from '../json/describe.js';
import { type Refusal, refuse } from '../refusal/refusal.js';
import { grants } from './capability.js';
import { type CompiledCapabilities, candidates } from './compiled-capabilities.js';
import { splitKind } from './kind-pattern.js';

/**
 * Says whether a message may be sent with these capabilities (O-9): nothing when one of them grants
 * it, else `capability_violation` with the kind as it was sent and the sender's capabilities.
 *
 * What is matched is the complete kind: where it leaves the context out, the name in the payload
 * counts, for requests and proposals alike. No capability, not even `*`, grants `system.*`.
 */
export function authorize(
  compiled: CompiledCapabilities,
  envelope: Pick<Envelope, 'from' | 'kind' | 'payload'>,
): Refusal<'capability_violation'> | undefined {
  const kind = completeKind(envelope.kind, envelope.payload);
  const parts = splitKind(kind);
  if (!/^system(?:[./]|$)/.test(parts.levels)) {
    for (const capability of candidates(compiled, kind)) {
      if (grants(capability, parts, envelope.payload)) return undefined;
    }
  }
  return refuse('capability_violation', `${quote(envelope.from)} may not send ${quote(kind)}.`, {
    attempted_kind: envelope.kind,
    your_capabilities: compiled.sources,
  });
}
