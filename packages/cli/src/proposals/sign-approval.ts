import type { DecisionSigner } from '@proffer/client/participation';
import {
  ASKED_OTHER,
  type Assertion,
  decisionAsked,
  requestToSign,
  type ShownDecision,
  type SignedDecision,
} from '@proffer/core/operations';
import { CommandFailure, EXIT } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { sameOptions } from '../connection/endpoint.js';
import { findSigningKey } from '../connection/signing-keys.js';
import { commandAbout } from '../terminal/shell.js';

/**
 * What has to be signed so that an approval counts (O-49); `undefined` if it failed for another reason.
 *
 * @throws CommandFailure if that is something else than what was shown
 */
export function decisionFailed(
  error: unknown,
  shown: Omit<ShownDecision, 'space'>,
  { name, endpoint }: GatewayConnection,
): SignedDecision | undefined {
  if (!(error instanceof CommandFailure)) return undefined;
  const { code, details = {} } = error.failure;
  const asked = decisionAsked({ code, details }, { ...shown, space: endpoint.space });
  if (asked !== 'changed') return asked;
  const { proposal } = shown;
  const show = commandAbout(`${name} show`, [proposal], { options: sameOptions(endpoint) });
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'changed_since_shown',
    message: ASKED_OTHER,
    details: { proposal },
    next: [`${show}   # look at it again`],
  });
}

/** Signs decisions with a key of the user that is on this machine and in force; `undefined` if there is none. */
export async function signWithOwnKey(
  connection: GatewayConnection,
  decisions: readonly SignedDecision[],
): Promise<Assertion | undefined> {
  const signer = await ownSigner(connection);
  return await signer?.(requestToSign(decisions, Date.now()));
}

/** What signs with a key of the user that is on this machine and in force. */
export async function ownSigner(connection: GatewayConnection): Promise<DecisionSigner | undefined> {
  const { keys: file } = connection.endpoint;
  if (file === undefined) return undefined;
  const [{ keys }, { participant }] = await Promise.all([connection.keys(), connection.whoAmI()]);
  const own = keys
    .filter((key) => key.participant === participant)
    .flatMap(({ id }) => findSigningKey(file, id) ?? []);
  const [key] = own;
  if (key === undefined) return undefined;
  const { signerWith } = await import('@proffer/client/participation');
  return signerWith(key);
}
