import type { DecisionSigner } from '@proffer/client';
import { sha256 } from '@proffer/core';
import { type JsonObject, objectOf, objectsIn, textOf } from '@proffer/core/json';
import {
  type Assertion,
  registrationChallenge,
  requestToSign,
  requestToSignKey,
  type SignedDecision,
  type SigningRequest,
} from '@proffer/core/operations';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';
import { gatewayNow } from '../state/clock.js';

/** How long a person has to answer the prompt, in milliseconds. */
const PATIENCE = 120_000;

/** The kinds of keys that the gateway can check: Ed25519, ECDSA and RSA, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257];

/** Signs decisions with a passkey of the user: one prompt, whatever their number. */
export async function signWithPasskey(
  space: Space,
  decisions: readonly SignedDecision[],
): Promise<Assertion> {
  const signer = await signerOf(space);
  return await signer(requestToSign(decisions, gatewayNow()));
}

/** What a new passkey is registered with. */
export interface NewPasskey {
  readonly label: string;
  /** The code of an operator; empty if a passkey of the user can vouch for it, or the user is an operator. */
  readonly code: string;
}

/** Makes a passkey on this device, or wherever its user chooses, and registers it (O-49). */
export async function registerPasskey(space: Space, { label, code }: NewPasskey): Promise<void> {
  checkPossible();
  const { own, mayAllow } = await readKeys(space);
  const { me: participant, name } = space;
  const at = gatewayNow();
  const passkey = await asked('No passkey was made', () =>
    startRegistration({
      optionsJSON: {
        rp: { id: location.hostname, name: 'Proffer' },
        user: {
          id: sha256(`${name}\n${participant}`).slice(0, 64),
          name: participant,
          displayName: participant,
        },
        challenge: base64url(registrationChallenge({ space: name, participant, at })),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: own.map((id) => ({ type: 'public-key', id })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        attestation: 'none',
        timeout: PATIENCE,
      },
    }),
  );
  const voucher = await voucherFor(space, passkey.id, { code, own, mayAllow });
  const body = { at, passkey: passkey as unknown as JsonObject, ...voucher };
  await ask(`${pathOf(space)}/keys`, space.token, { ...body, ...(label === '' ? {} : { label }) });
}

/** On whose word a passkey is registered: by a code, by an earlier passkey, or by the user as an operator. */
async function voucherFor(
  space: Space,
  key: string,
  { code, own, mayAllow }: Pick<NewPasskey, 'code'> & OwnPasskeys,
): Promise<JsonObject> {
  if (code !== '') return { code };
  if (own.length > 0) {
    const signer = await signerOf(space);
    const about = { space: space.name, participant: space.me, key };
    return { signature: { ...(await signer(requestToSignKey(about, gatewayNow()))) } };
  }
  if (!mayAllow) throw new Error('Your first passkey needs a code. Ask an operator for one.');
  return { code: await allowKey(space, space.me) };
}

/** A code with which somebody may register a key, once; for operators. */
export async function allowKey(space: Space, participant: string): Promise<string> {
  const answer = await ask(`${pathOf(space)}/keys/codes`, space.token, { participant });
  return textOf(objectOf(answer['key_code'])['code']);
}

/** Revokes a key, at once. */
export async function revokeKey(space: Space, participant: string, key: string): Promise<void> {
  await ask(`${pathOf(space)}/keys/${encodeURIComponent(key)}/revoke`, space.token, { participant });
}

interface OwnPasskeys {
  /** The ids of the user's passkeys for this domain. */
  readonly own: readonly string[];
  readonly mayAllow: boolean;
}

async function readKeys(space: Space): Promise<OwnPasskeys> {
  const { keys, mayAllow } = await ask(`${pathOf(space)}/keys`, space.token);
  const own = objectsIn(keys)
    .filter(({ participant, domain }) => participant === space.me && domain === location.hostname)
    .map(({ id }) => textOf(id));
  return { own, mayAllow: mayAllow === true };
}

async function signerOf(space: Space): Promise<DecisionSigner> {
  checkPossible();
  const { own } = await readKeys(space);
  if (own.length === 0)
    throw new Error(
      'This call has to be approved with a passkey, and you have none here. Add one under People.',
    );
  return async ({ at, digests, challenge }: SigningRequest) => {
    const { id, response } = await asked('Nothing was signed', () =>
      startAuthentication({
        optionsJSON: {
          challenge: base64url(challenge),
          rpId: location.hostname,
          allowCredentials: own.map((key) => ({ type: 'public-key', id: key })),
          userVerification: 'required',
          timeout: PATIENCE,
        },
      }),
    );
    const { signature, authenticatorData, clientDataJSON } = response;
    return { key: id, at, digests, signature, authenticatorData, clientDataJSON };
  };
}

/** Browsers have passkeys only on pages that nobody on the way can change. */
function checkPossible(): void {
  if (!isSecureContext)
    throw new Error(
      'Passkeys need a secure page. Open the console at an https address, or at http://localhost on this machine.',
    );
  if (/^[\d.]+$|^\[/.test(location.hostname))
    throw new Error(
      `Passkeys need a name instead of a number in the address. Open the console at ${location.href.replace(location.hostname, 'localhost')}.`,
    );
  if (typeof PublicKeyCredential === 'undefined')
    throw new Error('This browser has no passkeys. Use another one, or the command line.');
}

/** Shows the browser's prompt; says in words what became of it. */
async function asked<Answer>(nothing: string, prompt: () => Promise<Answer>): Promise<Answer> {
  try {
    return await prompt();
  } catch (error) {
    const { name, message } = error as Error;
    const why = REASONS[name === 'WebAuthnError' ? causeOf(error) : name] ?? message;
    throw new Error(`${nothing}: ${why}`, { cause: error });
  }
}

function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.name : '';
}

/** What the errors of browsers mean. */
const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: 'you cancelled the prompt, or it took too long. Try again when you are ready.',
  AbortError: 'the prompt was closed. Try again when you are ready.',
  InvalidStateError: 'this device already has a passkey of yours here.',
  NotSupportedError: 'this device cannot make a passkey that checks who you are.',
  SecurityError: 'passkeys cannot be used at this address. Open the console at its own address.',
};

function pathOf({ name }: Space): string {
  return `/spaces/${encodeURIComponent(name)}`;
}

/** ASCII text in base64url. */
function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
