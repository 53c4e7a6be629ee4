import { encodeEnvelope, failure, type Result, success } from '@proffer/core';
import { deliveredEnvelope, reaches } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import { type Following, type StoredOperation, withRecord } from '../../../delivery/index.js';
import type { SpaceCaller } from '../../../operations/index.js';
import { refuseParameter } from '../../target.js';
import { createEventStream } from '../event-stream.js';
import { replyText } from '../reply.js';
import type { HttpCall } from '../router.js';

/** Maximum messages in one answer. */
const PAGE = 1_000;

/** An answer ends with the message that brings it to this many characters (I-7). */
const PAGE_SIZE = 1_048_576;

/** Whether a request for the feed wants it live. It then is long-lived. */
export function wantsStream({ request }: Pick<HttpCall, 'request'>): boolean {
  return request.headers.accept?.includes('text/event-stream') === true;
}

/**
 * `GET /spaces/{space}/feed[?after=SEQ|now][&records=true]`: the messages after a `seq`, each with the `time` at which it
 * was accepted (ms since 1970), up to a thousand or a good mebibyte, with the `seq` to ask for next. After
 * `now` there is nothing yet, but the `seq` from which what comes can be asked for. With `records=true` each has
 * beside it the record that it left, with which it can be folded and verified.
 */
export async function readFeed(call: HttpCall, caller: SpaceCaller, journal: Journal): Promise<void> {
  const { response } = call;
  const asked = await placeAsked(call, caller);
  if (!asked.ok) return call.refuse(asked.refusal);
  const { settings } = caller.liveSpace.host;
  const records = call.query.get('records') === 'true';
  const { name, observer, roles } = caller;
  const subscriber = { name, routing: 'all', observer, roles } as const;
  const messages: string[] = [];
  let size = 0;
  let seq = asked.value;
  for await (const stored of journal.feed(settings.name, seq, { follow: false })) {
    const record = stored as StoredOperation;
    seq = record.seq;
    if (!reaches(record, subscriber, settings)) continue;
    const message = encodeEnvelope(deliveredEnvelope(record), 'mcpx', { seq });
    const plain = JSON.stringify({ ...message, time: record.time });
    const text = records ? withRecord(plain, record) : plain;
    size += text.length;
    if (messages.push(text) === PAGE || size >= PAGE_SIZE) break;
  }
  replyText(response, 200, 'application/json', `{"messages":[${messages.join()}],"seq":${seq}}\n`);
}

/** The feed with `Accept: text/event-stream`: it continues live. The time is a field of the event. */
export async function streamFeed(call: HttpCall, caller: SpaceCaller): Promise<void> {
  const { response } = call;
  const asked = await placeAsked(call, caller);
  if (!asked.ok) return call.refuse(asked.refusal);
  const after = asked.value;
  if (response.destroyed) return;
  const following: Following = {
    name: caller.name,
    routing: 'all',
    observer: caller.observer,
    roles: caller.roles,
    reading: { dialect: 'mcpx', framing: 'event-stream' },
    sink: createEventStream(response),
    mayStay: () => caller.rights().ok,
  };
  const { fanOut } = caller.liveSpace;
  // An id without data is not an event, but a browser resumes from it when the stream breaks.
  if (isNow(call)) following.sink.write(Buffer.from(`id: ${after}\n\n`));
  fanOut.follow(following, after);
  response.once('close', () => fanOut.unfollow(following));
}

async function placeAsked(call: HttpCall, { liveSpace }: SpaceCaller): Promise<Result<number>> {
  if (isNow(call)) return success(liveSpace.fanOut.seq);
  // A browser that reconnects sends the last id it saw, and uses the same URL as before.
  const after = askedAfter(asksForNow(call) ? { ...call, query: new URLSearchParams() } : call);
  const wrong = after.ok ? await liveSpace.checkCursor(after.value) : undefined;
  return wrong === undefined ? after : failure(wrong);
}

const isNow = (call: HttpCall): boolean =>
  asksForNow(call) && call.request.headers['last-event-id'] === undefined;

const asksForNow = ({ query }: HttpCall): boolean => query.get('after') === 'now';

/** The number to continue after: from the URL, or as a reconnecting browser sends it. Default: 0. */
export function askedAfter({ request, query }: Pick<HttpCall, 'request' | 'query'>): Result<number> {
  const asked = query.get('after') ?? request.headers['last-event-id'] ?? '0';
  if (typeof asked === 'string' && /^\d{1,15}$/.test(asked)) return success(Number(asked));
  return failure(refuseParameter('after', String(asked), 'the seq of a message'));
}
