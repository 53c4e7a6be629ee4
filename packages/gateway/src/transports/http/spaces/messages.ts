import { randomUUID } from 'node:crypto';
import type { DialectName, Refusal } from '@proffer/core';
import type { JsonLimits, JsonObject } from '@proffer/core/json';
import type { Metrics } from '../../../metrics/index.js';
import {
  type Received,
  receive,
  type SpaceCaller,
  type SpaceMessageOutcome,
  showParts,
} from '../../../operations/index.js';
import { readBody } from '../body.js';
import { replyJson } from '../reply.js';
import type { HttpCall } from '../router.js';

export interface PostOptions {
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
  /** Default: the one that the message shows. */
  readonly dialect?: DialectName;
  /** Called with the refusal of a message that could be read. */
  readonly onRefused?: (refusal: Refusal, id: string) => void;
}

/**
 * `POST /spaces/{space}/messages`: one envelope, in any dialect; a missing `id` is generated. The answer
 * comes when the message is durable, with its position, and for a batch with an outcome for each proposal that it
 * names (O-35).
 */
export async function postMessage(
  call: HttpCall,
  caller: SpaceCaller,
  { clock, limits, metrics, dialect, onRefused }: PostOptions,
): Promise<void> {
  const body = await readBody(call.request, limits.maxBytes);
  const now = clock();
  const options = {
    now,
    limits,
    queue: { server: { isOpen: false, instance: undefined } },
    newId: randomUUID,
    ...(dialect === undefined ? {} : { dialect }),
  };
  const [outcome, received] = await new Promise<[SpaceMessageOutcome, Received]>((resolve) => {
    receive(caller, body.ok ? body.value : body.refusal, options, (...told) => resolve(told));
  });
  metrics.messages.inc({ transport: 'http', outcome: outcome.status });
  if (outcome.status === 'accepted') metrics.latency.observe((clock() - now) / 1000);
  if (outcome.status === 'refused') {
    if (received.id !== undefined) onRefused?.(outcome.refusal, received.id);
    return call.refuse(outcome.refusal);
  }
  replyJson(call.response, 200, {
    id: received.id ?? null,
    status: outcome.status,
    ...placeOf(outcome, received.id),
    ...issuedIn(outcome, dialect),
    ...(outcome.parts === undefined ? {} : { outcomes: showParts(outcome.parts) }),
  });
}

/**
 * The token of an invitation, or the code for a key. Mew clients look for a token, and for whether there is one, at the top
 * of the answer.
 */
export function issuedIn({ issued }: SpaceMessageOutcome, dialect?: DialectName): JsonObject {
  if (issued === undefined) return {};
  if (issued.code !== undefined) return { key_code: issued };
  if (dialect !== 'mew/v0.4') return { invitation: issued };
  const { participant, ...rest } = issued;
  return { ...rest, participant_id: participant };
}

/** The `seq` of the message's record, and for a batch of its last part. */
export function placeOf(outcome: SpaceMessageOutcome, id: string | undefined): { readonly seq?: number } {
  if (outcome.status !== 'accepted' && outcome.status !== 'duplicate') return {};
  const own = outcome.records.findLast(
    ({ envelope }) => envelope.id === id || envelope.id.startsWith(`${id}#`),
  );
  return own === undefined ? {} : { seq: own.seq };
}
