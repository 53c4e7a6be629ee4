import { isJsonObject, type JsonObject, type JsonValue, listOf, parseJson, textOf } from '@proffer/core/json';
import { APPROVE_ACTION, type ButtonValue, REJECT_ACTION } from './buttons.js';

/** A button press in Slack. */
export interface SlackPress {
  /** `TEAM/USER`: people can change their names and addresses, but not these. */
  readonly who: string;
  readonly decision: 'approve' | 'reject';
  readonly about: ButtonValue;
  /** Where to post a message for the person who pressed it. */
  readonly responseUrl?: string;
}

/** Parses what Slack posts for a button. `undefined` for anything else. */
export function readInteraction(body: string): SlackPress | undefined {
  const payload = objectIn(new URLSearchParams(body).get('payload') ?? '');
  if (payload?.['type'] !== 'block_actions') return undefined;
  const { user, actions, response_url: responseUrl } = payload;
  const [action] = listOf(actions);
  if (!isObject(user) || !isObject(action)) return undefined;
  const decision = DECISIONS.get(textOf(action['action_id']));
  const about = readButton(textOf(action['value']));
  const [team, id] = [textOf(user['team_id']), textOf(user['id'])];
  if (decision === undefined || about === undefined || team === '' || id === '') return undefined;
  return {
    who: `${team}/${id}`,
    decision,
    about,
    ...(typeof responseUrl === 'string' ? { responseUrl } : {}),
  };
}

const DECISIONS = new Map<string, SlackPress['decision']>([
  [APPROVE_ACTION, 'approve'],
  [REJECT_ACTION, 'reject'],
]);

function readButton(text: string): ButtonValue | undefined {
  const value = objectIn(text);
  const { space, proposal, digest, seen } = value ?? {};
  if (typeof space !== 'string' || typeof proposal !== 'string' || typeof digest !== 'string')
    return undefined;
  // Slack signed it, and nobody else can write one. Core checks it like any other.
  return { space, proposal, digest, ...(isObject(seen) ? { seen } : {}) };
}

function objectIn(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}
