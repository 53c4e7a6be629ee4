import { authorize } from '../../capability/authorize.js';
import type { Envelope } from '../../envelope/envelope.js';
import { objectOf, textOf } from '../../json/fields.js';
import { isJsonObject } from '../../json/json.js';
import type { ProposalContext } from '../context.js';
import { requestFor } from '../proposal/may-fulfil.js';
import type { Targeting } from '../records.js';

/**
 * Parses the targeting of a proposal (O-20). Plain `to` means: these are preferred, not exclusive. A
 * proposer that may not fulfil its own proposal is not among them, whatever it says: waiting for it
 * would be pointless. The envelope is already validated, so fields have their types.
 */
export function readTargeting(
  envelope: Envelope,
  context: ProposalContext,
): { readonly targeting?: Targeting; readonly addressees: readonly string[] } {
  const { settings, now } = context;
  const { targeting } = envelope.payload;
  const given = objectOf(targeting);
  const { to = [] } = envelope;
  const mayAct = (name: string): boolean => settings.selfFulfilment || name !== envelope.from;
  const named = given['capable'] === true ? capableOf(envelope, context) : (given['preferred'] ?? to);
  const preferred = (named as readonly string[]).filter(mayAct);
  const addressees = [...new Set([...to, ...preferred])].filter(mayAct);
  if (preferred.length === 0) return { addressees };
  const exclusive = given['exclusive'] === true;
  const window = exclusive
    ? (given['exclusive_timeout'] ?? given['fallback_timeout'] ?? settings.exclusiveTimeout)
    : given['fallback_timeout'];
  return {
    addressees,
    targeting: {
      preferred,
      exclusive,
      fallback: given['fallback_to_broadcast'] !== false,
      ...(typeof window === 'number' ? { until: now + window } : {}),
    },
  };
}

/** The participants present who may fulfil a proposal (O-38), in alphabetical order, so that two gateways name them alike. */
function capableOf({ payload }: Envelope, { present, rightsOf }: ProposalContext): readonly string[] {
  const { method, params } = payload;
  const call = { method: textOf(method), params: isJsonObject(params) ? params : undefined };
  const names = (present?.() ?? []).filter((name) => {
    const rights = rightsOf?.(name);
    return rights !== undefined && authorize(rights.capabilities, requestFor(call, name)) === undefined;
  });
  return [...new Set(names)].sort();
}
