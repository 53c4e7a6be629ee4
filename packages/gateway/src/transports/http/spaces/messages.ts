import { randomUUID } from 'node:crypto';
import type { DialectName } from '@proffer/core';
import type { JsonLimits } from '@proffer/core/json';
import type { Metrics } from '../../../metrics/index.js';
import {
  type Received,
  receive,
  type SpaceCaller,
  type Submission,
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
}

/**
 * `POST /spaces/{space}/messages`: one envelope, in any dialect; a missing `id` is generated. The answer
 * comes when the message is durable, with its position, and for a batch with an outcome for each proposal that it
 * names (O-35).
 */
export async function postMessage(
  call: HttpCall,
  caller: SpaceCaller,
  { clock, limits, metrics, dialect }: PostOptions,
): Promise<void> {
  const body = await readBody(call.request, limits.maxBytes);
  const now = clock();
  const options = {
    now,
    limits,
    queue: { server: { isOpen: false, instance: undefined } },
    fallbackId: randomUUID(),
    ...(dialect === undefined ? {} : { dialect }),
  };
  const [submission, received] = await new Promise<[Submission, Received]>((resolve) => {
    receive(caller, body.ok ? body.value : body.refusal, options, (...outcome) => resolve(outcome));
  });
  metrics.messages.inc({ transport: 'http', outcome: submission.status });
  if (submission.status === 'accepted') metrics.latency.observe((clock() - now) / 1000);
  if (submission.status === 'refused') return call.refuse(submission.refusal);
  replyJson(call.response, 200, {
    id: received.id ?? null,
    status: submission.status,
    ...placeOf(submission, received.id),
    ...(submission.parts === undefined ? {} : { outcomes: showParts(submission.parts) }),
  });
}

/** The `seq` of the message's record, and for a batch of its last part. */
export function placeOf(submission: Submission, id: string | undefined): { readonly seq?: number } {
  if (submission.status !== 'accepted' && submission.status !== 'duplicate') return {};
  const own = submission.records.findLast(
    ({ envelope }) => envelope.id === id || envelope.id.startsWith(`${id}#`),
  );
  return own === undefined ? {} : { seq: own.seq };
}
