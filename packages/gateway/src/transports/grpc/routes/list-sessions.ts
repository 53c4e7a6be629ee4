import type { SessionMetadata } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE } from '@proffer/wire';
import { asParty, frame, type GrpcRoute, PREFIX } from '../call/index.js';
import { MORE, OK } from '../trailers.js';

const { listSessions: LIST } = RUNTIME_SERVICE;

/**
 * `ListSessions`: the newest sessions, up to the four megabytes that clients read by default. The protocol
 * has no pages, so the trailer `macp-more: true` says that there are more.
 */
export const listSessionsRoute: GrpcRoute = asParty(LIST, async (calls, _request, { call }) => {
  const listed = await calls.sessions(toForm, () => call.isOver());
  if (!listed.ok) return call.refuse(listed.refusal);
  const { sessions, more } = listed.value;
  call.reply(frame(Buffer.concat([Buffer.alloc(PREFIX), ...sessions])), more > 0 ? MORE : OK);
});

/** Concatenated answers with one session each form the answer with all of them. */
function toForm(session: SessionMetadata): { readonly value: Buffer; readonly bytes: number } {
  const value = LIST.response.write({ sessions: [session] });
  return { value, bytes: value.length };
}
