import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import {
  checkBoolean,
  checkDuration,
  checkIdentifier,
  checkIdentifiers,
  checkObject,
  checkOptional,
  checkWord,
  type Fault,
  fieldFault,
} from '../field-checks.js';
import { checkMethod } from './json-rpc.js';
import { checkReason } from './lifecycle.js';
import type { PayloadCheck } from './payload-check.js';

/**
 * `mcp.proposal.METHOD[:CONTEXT]`: `{ method, params?, ttl?, targeting?, executor?, depends_on?,
 * on_failure?, grants?, reason?, origin? }` (O-19, O-20, O-26, O-37, O-41). The reason is text for
 * the reviewer, 1 to 1000 characters; rules ignore it. With `grants: false` people are asked whatever
 * the proposer was granted.
 */
export const checkProposal: PayloadCheck = (message) =>
  checkMethod(message) ??
  checkOptional(checkDuration, 'payload.ttl', message.payload['ttl']) ??
  checkOptional(checkIdentifier, 'payload.executor', message.payload['executor']) ??
  checkOptional(checkReason, 'payload.reason', message.payload['reason']) ??
  checkOptional(checkDependsOn, 'payload.depends_on', message.payload['depends_on']) ??
  checkOptional(checkOnFailure, 'payload.on_failure', message.payload['on_failure']) ??
  checkOptional(checkBoolean, 'payload.grants', message.payload['grants']) ??
  checkOptional(checkOrigin, 'payload.origin', message.payload['origin']) ??
  checkSeedOptions(message.payload) ??
  checkTargeting(message.payload, message.to);

/** Other ways to say whom a proposal is for, and what its proposer expects (O-48). */
function checkSeedOptions(payload: JsonObject): Fault | undefined {
  for (const [field, check] of SEED_OPTIONS) {
    const fault = checkOptional(check, `payload.${field}`, payload[field]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const FOR_SOMEONE = ['fulfiller', 'preferred_fulfillers', 'preferred_participant', 'required_capabilities'];

const checkNames = (field: string, found: JsonValue | undefined): Fault | undefined =>
  typeof found === 'string' ? checkIdentifier(field, found) : checkPreferred(field, found);

const checkNeeds = (field: string, found: JsonValue | undefined): Fault | undefined =>
  checkIdentifiers(field, found, { least: 1, called: 'capabilities' });

const SEED_OPTIONS = [
  ['fulfiller', checkNames],
  ['preferred_fulfillers', checkNames],
  ['preferred_participant', checkNames],
  ['required_capabilities', checkNeeds],
  ['request_response', checkBoolean],
  ['response_timeout', checkDuration],
  ['request_bids', checkBoolean],
  ['bid_timeout', checkDuration],
] as const;

function checkTargeting(payload: JsonObject, to: readonly string[]): Fault | undefined {
  const { targeting } = payload;
  if (targeting === undefined) return undefined;
  const notObject = checkObject('payload.targeting', targeting);
  if (notObject !== undefined || !isJsonObject(targeting)) return notObject;
  const { preferred, exclusive, exclusive_timeout, fallback_to_broadcast, quick_reject, fallback_timeout } =
    targeting;
  const fault =
    checkOptional(checkPreferred, 'payload.targeting.preferred', preferred) ??
    checkOptional(checkBoolean, 'payload.targeting.capable', targeting['capable']) ??
    checkOptional(checkBoolean, 'payload.targeting.exclusive', exclusive) ??
    checkOptional(checkDuration, 'payload.targeting.exclusive_timeout', exclusive_timeout) ??
    checkOptional(checkBoolean, 'payload.targeting.fallback_to_broadcast', fallback_to_broadcast) ??
    checkOptional(checkBoolean, 'payload.targeting.quick_reject', quick_reject) ??
    checkOptional(checkDuration, 'payload.targeting.fallback_timeout', fallback_timeout);
  if (fault !== undefined) return fault;
  const isForSomeone =
    preferred !== undefined ||
    to.length > 0 ||
    targeting['capable'] === true ||
    FOR_SOMEONE.some((field) => payload[field] !== undefined);
  if (exclusive !== true || isForSomeone) return undefined;
  const expected = 'this together with `preferred` or `to`, which say for whom';
  return fieldFault('payload.targeting.exclusive', exclusive, expected);
}

/**
 * On whose behalf the proposer asks, as far as it knows: a program with its version, a person, and
 * the program's working folder.
 */
function checkOrigin(field: string, origin: JsonValue | undefined): Fault | undefined {
  if (!isJsonObject(origin)) return checkObject(field, origin);
  const odd = Object.keys(origin).find((key) => !ORIGIN.has(key));
  if (odd !== undefined)
    return fieldFault(`${field}.${odd}`, origin[odd], `one of ${[...ORIGIN.keys()].join(', ')} here`);
  for (const [key, longest] of ORIGIN) {
    const said = origin[key];
    if (said !== undefined && (typeof said !== 'string' || said === '' || said.length > longest))
      return fieldFault(`${field}.${key}`, said, `a string of 1 to ${longest} characters`);
  }
  return undefined;
}

/** The fields of an origin, with their maximum length in characters. */
const ORIGIN: ReadonlyMap<string, number> = new Map([
  ['client', 200],
  ['version', 200],
  ['user', 200],
  ['session', 200],
  ['folder', 1000],
]);

/** No plan needs more, and each is checked with every change (I-8). */
const MAX_DEPENDENCIES = 100;

function checkDependsOn(field: string, found: JsonValue | undefined): Fault | undefined {
  const fault = checkIdentifiers(field, found, { least: 1, called: 'ids' });
  if (fault !== undefined || !isJsonArray(found) || found.length <= MAX_DEPENDENCIES) return fault;
  return fieldFault(field, found, `1 to ${MAX_DEPENDENCIES} ids`);
}

function checkOnFailure(field: string, found: JsonValue | undefined): Fault | undefined {
  return checkWord(field, found, ['decline', 'keep']);
}

function checkPreferred(field: string, preferred: JsonValue | undefined): Fault | undefined {
  return checkIdentifiers(field, preferred, { least: 1, called: 'names' });
}
