import { isParticipantName, type Result, success } from '@proffer/core';
import { isReservedName } from '@proffer/core/negotiation';
import { DEV_STRANGER, type GatewayConfig } from '../../config/index.js';
import { compileSpaces, createPrincipal, type Principal } from './principal.js';
import { unauthenticated } from './unauthenticated.js';

/**
 * Dev mode: the token is the participant's name. It accepts everything, so it comes last. An unconfigured
 * name has the rights of `agent`. Every token may act for every name (N-7).
 */
export function createDevNames(config: GatewayConfig): (name: string) => Result<Principal> {
  const spaces = new Map<string, Principal['spaces']>();
  return (name) => {
    if (!isParticipantName(name) || isReservedName(name)) {
      return unauthenticated("In dev mode the token is the participant's name, and this is not a valid one.");
    }
    const role = config.participants.has(name) ? name : DEV_STRANGER;
    const participant = config.participants.get(role);
    if (participant === undefined) return unauthenticated('The name is unknown.');
    const compiled = spaces.get(role) ?? compileSpaces(participant);
    spaces.set(role, compiled);
    const principal = createPrincipal(name, `dev:${name}`, participant, compiled);
    const isConfigured = config.participants.has(name);
    return success({
      ...principal,
      // An unconfigured name may be a guard. The built-in names of dev mode are not.
      runsOwnCalls: participant.runsOwnCalls || !isConfigured,
      isConfigured,
      negotiation: { ...principal.negotiation, actAs: 'anyone' },
    });
  };
}
