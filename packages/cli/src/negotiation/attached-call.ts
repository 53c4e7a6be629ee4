import { callInOffer, scopeOf } from '@proffer/core/agreement';
import { usageFailure } from '../command-failure.js';
import type { AnySession } from './any-session.js';

/** The `authority_scope` of a commitment: as written, or that of the call in an offer (N-32). */
export function scopeIn(
  { projection }: AnySession,
  { scope, call }: { readonly scope?: string; readonly call?: string },
): string {
  if (scope !== undefined && call === undefined) return scope;
  if (call === undefined || scope !== undefined) throw usageFailure('Give --scope or --call, one of them.');
  const found = callInOffer(projection.transcript, call);
  if (found === undefined) throw usageFailure(`The offer ${JSON.stringify(call)} has no call.`);
  if (!found.ok) throw usageFailure(found.refusal.message);
  return scopeOf(found.value);
}
