import type { JsonObject, JsonValue } from '@proffer/core/json';
import { type MessageField, messageFields, servedModes } from '@proffer/core/negotiation';
import { encodePayload, RUNTIME_SERVICE } from '@proffer/wire';
import { pick, type Random } from './broken-messages.js';

/** A session in each mode, in which `fuzz` takes part, by mode. */
export type OpenSessions = ReadonlyMap<string, string>;

const STARTER = 'ann';

/** Starts a session in each served mode. */
export async function openSessions(http: string): Promise<OpenSessions> {
  const sessions = new Map<string, string>();
  for (const [index, { mode, mode_version }] of servedModes().entries()) {
    const session = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const payload = {
      intent: 'stay as it is',
      participants: [STARTER, 'bob', 'fuzz'],
      mode_version,
      configuration_version: '1',
      ttl_ms: 86_400_000,
    };
    const head = headOf({ mode, message_type: 'SessionStart', session });
    const answer = await post(http, { ...head, message_id: 'start', sender: STARTER, payload });
    if (!answer.ok) throw new Error(`${mode}: ${await answer.text()}`);
    sessions.set(mode, session);
  }
  return sessions;
}

/** The modes of the sessions in which something was accepted after their start. */
export async function changedSessions(http: string, sessions: OpenSessions): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [mode, session] of sessions) {
    const answer = await fetch(`${http}/macp/session/${session}/envelopes`, {
      headers: { authorization: `Bearer ${STARTER}` },
    });
    const { envelopes } = (await answer.json()) as { readonly envelopes: readonly unknown[] };
    if (envelopes.length !== 1) changed.push(mode);
  }
  return changed;
}

function post(http: string, envelope: JsonObject): Promise<Response> {
  return fetch(`${http}/macp/envelope`, {
    method: 'POST',
    headers: { authorization: `Bearer ${STARTER}`, 'content-type': 'application/json' },
    body: JSON.stringify(envelope),
  });
}

interface Broken {
  readonly mode: string;
  readonly message_type: string;
  readonly session: string;
  readonly payload: JsonObject;
}

/** A message of some mode, to its session, with one field that the mode cannot take. */
function brokenMessageOfMode(sessions: OpenSessions, random: Random): Broken {
  const [mode, session] = pick(random, [...sessions]);
  const types = servedModes().find((each) => each.mode === mode)?.message_types ?? [];
  const message_type = pick(
    random,
    types.filter((type) => type !== 'SessionStart'),
  );
  const fields = messageFields(mode, message_type) ?? [];
  const wrong = pick(random, fields);
  const payload = Object.fromEntries(
    fields.map((field) => [field.name, valueFor(field, field !== wrong, random)]),
  );
  return { mode, message_type, session, payload };
}

const VALUES: readonly (JsonValue | undefined)[] = [
  'x1',
  '',
  'YQ==',
  1,
  0.5,
  -1,
  true,
  null,
  [],
  ['fuzz'],
  {},
  'fuzz',
  { a: [{}] },
  1e300,
  undefined,
];

/** A value that the field may have, or may not have; a missing field counts, too. */
function valueFor({ fits }: MessageField, isFit: boolean, random: Random): JsonValue | undefined {
  return pick(
    random,
    VALUES.filter((value) => fits(value as JsonValue) === isFit),
  );
}

/** In JSON: with a field that does not fit, with bytes that end too early, or both. */
export function brokenEnvelope(sessions: OpenSessions, random: Random): JsonObject {
  const broken = brokenMessageOfMode(sessions, random);
  const head = { ...headOf(broken), message_id: 'm', sender: 'fuzz' };
  if (random() < 0.5) return { ...head, payload: broken.payload };
  return { ...head, payload_b64: Buffer.from(brokenBytes(broken)).toString('base64') };
}

/** As the HTTP binding of MACP has it: `{ envelope }`, with its payload in base64. */
export function brokenSend(sessions: OpenSessions, random: Random): JsonObject {
  const broken = brokenMessageOfMode(sessions, random);
  const payload = Buffer.from(brokenBytes(broken)).toString('base64');
  return { envelope: { ...headOf(broken), message_id: 'm', sender: 'fuzz', payload } };
}

/** A request of `Send` or `StreamSession` in protobuf, whose envelope can be read and whose payload cannot. */
export function brokenRequest(sessions: OpenSessions, random: Random): Buffer {
  const broken = brokenMessageOfMode(sessions, random);
  const envelope = {
    ...headOf(broken),
    message_id: 'm',
    sender: 'fuzz',
    timestamp_unix_ms: 0,
    payload: brokenBytes(broken),
  };
  return random() < 0.5
    ? RUNTIME_SERVICE.send.request.write({ envelope })
    : RUNTIME_SERVICE.streamSession.request.write({ envelope, subscribe_session_id: '', after_sequence: 0 });
}

/** The fields that protobuf can write, and then a field that is longer than what follows. */
function brokenBytes({ mode, message_type, payload }: Broken): Uint8Array {
  const texts = Object.entries(payload).filter(([, value]) => typeof value === 'string');
  const written = encodePayload({ mode, message_type }, Object.fromEntries(texts));
  return Buffer.concat([written, Buffer.from([0x0a, 0x7f, 0x78])]);
}

function headOf({ mode, message_type, session }: Pick<Broken, 'mode' | 'message_type' | 'session'>) {
  return { macp_version: '1.0', mode, message_type, session_id: session };
}
