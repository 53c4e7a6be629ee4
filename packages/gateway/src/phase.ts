import { type Refusal, refuse } from '@proffer/core';
import type { Readiness } from './journal/index.js';

/**
 * What a gateway is doing.
 *
 * - `starting`, `stopping`: lets nobody in.
 * - `ready`: everything is running.
 * - `leaving`: still serves, but says that it is not ready.
 * - `broken`: a part of the journal can no longer be followed. Serves the others, and is never ready again.
 * - `blind`: the part with revoked tokens, so it lets nobody in (I-4).
 */
export type GatewayPhase = 'starting' | 'ready' | 'leaving' | 'stopping' | 'broken' | 'blind';

/** Why nobody is let in; absent where everyone is. */
export const REFUSED_IN_PHASE: { readonly [Name in GatewayPhase]?: Refusal } = {
  starting: refuse('unavailable', 'The gateway is still starting.'),
  stopping: refuse('unavailable', 'The gateway is stopping.'),
  blind: refuse('unavailable', 'The gateway no longer learns which tokens were revoked.'),
};

const STOPPING = { reason: 'The gateway is stopping.' };
const BROKEN = {
  reason: 'The journal can no longer be followed. See the log of the gateway, and restart it.',
};

const REASONS: { readonly [Name in GatewayPhase]?: Pick<Readiness, 'reason'> } = {
  leaving: STOPPING,
  stopping: STOPPING,
  broken: BROKEN,
  blind: BROKEN,
};

/** What `/readyz` says: what is wrong with the journal explains more than that it cannot be followed. */
export function readinessIn(phase: GatewayPhase, journal: Readiness): Readiness {
  if (phase === 'ready' || ((phase === 'broken' || phase === 'blind') && !journal.ready)) return journal;
  return { ready: false, ...REASONS[phase] };
}
