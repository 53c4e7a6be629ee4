import { contains, parseCapability } from '../../capability/capability.js';
import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { listOf, textOf } from '../../json/fields.js';
import { type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { SpaceState } from '../space/space.js';
import { type Grant, type GrantRevoked, grantById } from './grant.js';

/**
 * A revocation (O-41): of one grant by its id, or of all of a participant's grants within some
 * capabilities. By their granters or an operator. Configured capabilities are unaffected. `undefined` about
 * the capabilities of a participant without any grants: then it is a message to that participant, and takes nothing back.
 */
export function decideRevoke(
  space: SpaceState,
  envelope: Envelope,
  { now, sender }: DecisionContext,
): { readonly record: GrantRevoked } | { readonly refused: Refusal } | undefined {
  const named = grantsNamed(space, envelope);
  const [first] = named;
  if (first === undefined)
    return isToldOnly(space, envelope) ? undefined : { refused: refuseUnknown(envelope) };
  const who = { name: envelope.from, capabilities: sender?.capabilities.sources ?? [] };
  const revocable = named.filter((grant) => mayRevoke(grant, who));
  if (revocable.length === 0) {
    const { id, granter } = first;
    const sentence = `${quote(id)} was granted by ${quote(granter)}.`;
    return { refused: refuse('not_granter', sentence, { grant: id, granter }) };
  }
  const facts = {
    participant: first.to,
    grants: revocable.map(({ id }) => id),
    fingerprint: fingerprint(envelope),
    audience: [...new Set([first.to, ...revocable.map(({ granter }) => granter)])],
  };
  return { record: { type: 'grant_revoked', time: now, principal: envelope.from, envelope, facts } };
}

function grantsNamed(space: SpaceState, envelope: Envelope): readonly Grant[] {
  const [id] = correlationIds(envelope);
  if (id !== undefined) {
    const grant = grantById(space, id);
    return grant === undefined ? [] : [grant];
  }
  const wanted = read(listOf(envelope.payload['capabilities']));
  return grantsTo(space, envelope).filter((grant) =>
    read(grant.capabilities).every((granted) => wanted.some((outer) => contains(outer, granted))),
  );
}

function grantsTo({ participants }: SpaceState, { payload }: Envelope): readonly Grant[] {
  return participants.get(textOf(payload['to']))?.grants ?? [];
}

/** Otherwise the sender has to learn that what it meant is still granted. */
function isToldOnly(space: SpaceState, envelope: Envelope): boolean {
  return correlationIds(envelope).length === 0 && grantsTo(space, envelope).length === 0;
}

function refuseUnknown(envelope: Envelope): Refusal {
  const [id] = correlationIds(envelope);
  if (id !== undefined)
    return refuse('unknown_grant', `There is no grant ${quote(id)} in force.`, { grant: id });
  const to = textOf(envelope.payload['to']);
  return refuse('unknown_grant', `${quote(to)} has no such grant.`, { to });
}

function read(sources: Grant['capabilities'] | readonly JsonValue[]) {
  return sources.flatMap((source) => {
    const parsed = parseCapability(source);
    return parsed.ok ? [parsed.value] : [];
  });
}

/** A participant that may do everything may also revoke others' grants. */
export function mayRevoke(
  { granter }: Pick<Grant, 'granter'>,
  { name, capabilities }: { readonly name: string; readonly capabilities: readonly JsonValue[] },
): boolean {
  return granter === name || capabilities.includes('*');
}
