import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json.js';
import { checkObject, checkOptional, checkText, type Fault, fieldFault } from '../field-checks.js';
import { checkTime, checkTtl } from './grant.js';
import { checkReason } from './lifecycle.js';
import { checkParticipant } from './membership.js';
import type { PayloadCheck } from './payload-check.js';

/** How many decisions one signature may cover (O-49). */
const MAX_DIGESTS = 100;
/** The longest field of a signature or a new key, in characters. */
const LONGEST = 16_384;
const LONGEST_LABEL = 100;

/** `mcpx.allow.key`: `{ participant, until? | ttl?, reason? }`: a code with which it may register a key (O-49). */
export const checkKeyCode: PayloadCheck = ({ payload }) =>
  checkParticipant('payload.participant', payload['participant']) ??
  checkOptional(checkTime, 'payload.until', payload['until']) ??
  checkOptional(checkTtl(payload), 'payload.ttl', payload['ttl']) ??
  checkOptional(checkReason, 'payload.reason', payload['reason']);

/**
 * `mcpx.register.key`: `{ at, passkey | ed25519, label?, code? | signature? }` (O-49). `passkey` is the answer of a browser to
 * `navigator.credentials.create()`, as JSON; `ed25519` is `{ key, signature }`.
 */
export const checkNewKey: PayloadCheck = ({ payload }) => {
  const { at, passkey, ed25519, label, code, signature } = payload;
  const isOne = (passkey === undefined) !== (ed25519 === undefined);
  return (
    checkMoment('payload.at', at) ??
    (isOne ? undefined : fieldFault('payload.passkey', passkey, 'one key')) ??
    checkOptional(checkObject, 'payload.passkey', passkey) ??
    checkOptional(checkEd25519, 'payload.ed25519', ed25519) ??
    checkOptional(checkShort(LONGEST_LABEL), 'payload.label', label) ??
    checkOptional(checkShort(LONGEST_LABEL), 'payload.code', code) ??
    checkOptional(checkSignature, 'payload.signature', signature)
  );
};

/** `mcpx.unregister.key`: `{ key, participant?, reason? }`: of the sender, unless it names another participant (O-49). */
export const checkKeyRevocation: PayloadCheck = ({ payload }) =>
  checkBase64url('payload.key', payload['key']) ??
  checkOptional(checkParticipant, 'payload.participant', payload['participant']) ??
  checkOptional(checkReason, 'payload.reason', payload['reason']);

/** The signature of a decision: `{ key, at, digests, signature, authenticatorData?, clientDataJSON? }` (O-49). */
export function checkSignature(field: string, found: JsonValue | undefined): Fault | undefined {
  if (!isJsonObject(found)) return checkObject(field, found);
  const { key, at, digests, signature, authenticatorData, clientDataJSON } = found;
  return (
    checkBase64url(`${field}.key`, key) ??
    checkMoment(`${field}.at`, at) ??
    checkDigests(`${field}.digests`, digests) ??
    checkBase64url(`${field}.signature`, signature) ??
    checkOptional(checkBase64url, `${field}.authenticatorData`, authenticatorData) ??
    checkOptional(checkBase64url, `${field}.clientDataJSON`, clientDataJSON)
  );
}

function checkEd25519(field: string, found: JsonValue | undefined): Fault | undefined {
  if (!isJsonObject(found)) return checkObject(field, found);
  const { key, signature } = found;
  const isKey = typeof key === 'string' && ED25519.test(key);
  return (
    (isKey ? undefined : fieldFault(`${field}.key`, key, '32 bytes in base64url')) ??
    checkBase64url(`${field}.signature`, signature)
  );
}

function checkDigests(field: string, found: JsonValue | undefined): Fault | undefined {
  const isList = isJsonArray(found) && found.length > 0 && found.length <= MAX_DIGESTS;
  const isGood = isList && found.every((each) => typeof each === 'string' && DIGEST.test(each));
  return isGood ? undefined : fieldFault(field, found, `1 to ${MAX_DIGESTS} digests of decisions`);
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const BASE64URL = /^[\w-]+$/;
/** 32 bytes. The last two bits stand for nothing and are zero, so that the same key is not registered under several ids. */
const ED25519 = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

function checkBase64url(field: string, found: JsonValue | undefined): Fault | undefined {
  const isGood = typeof found === 'string' && found.length <= LONGEST && BASE64URL.test(found);
  return isGood ? undefined : fieldFault(field, found, `base64url, at most ${LONGEST} characters`);
}

function checkShort(longest: number) {
  return (field: string, found: JsonValue | undefined): Fault | undefined =>
    typeof found === 'string' && found.length > longest
      ? fieldFault(field, found, `at most ${longest} characters`)
      : checkText(field, found);
}

function checkMoment(field: string, found: JsonValue | undefined): Fault | undefined {
  const isGood = Number.isSafeInteger(found) && Number(found) > 0;
  return isGood ? undefined : fieldFault(field, found, 'milliseconds since 1970');
}
