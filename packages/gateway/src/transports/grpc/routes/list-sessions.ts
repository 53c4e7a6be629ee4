import type { SessionMetadata } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE } from '@proffer/wire';
import { readPage, writePageToken } from '../../session-pages.js';
import { asParty, frame, type GrpcRoute, PREFIX } from '../call/index.js';

const { listSessions: LIST } = RUNTIME_SERVICE;

/**
 * `ListSessions`: a page of the sessions, those of the first page being the newest. It has as many as were asked for, or
 * as fit into the four megabytes that clients read by default (N-26).
 */
export const listSessionsRoute: GrpcRoute = asParty(LIST, async (calls, request, { call }) => {
  const page = calls.asked(readPage(request));
  if (!page.ok) return call.refuse(page.refusal);
  const listed = await calls.sessions(toForm, () => call.isOver(), page.value);
  if (!listed.ok) return call.refuse(listed.refusal);
  const { sessions, next } = listed.value;
  const last = LIST.response.write({ sessions: [], next_page_token: writePageToken(next) });
  call.reply(frame(Buffer.concat([Buffer.alloc(PREFIX), ...sessions, last])));
});

/** Concatenated answers with one session each form the answer with all of them. */
function toForm(session: SessionMetadata): { readonly value: Buffer; readonly bytes: number } {
  const value = LIST.response.write({ sessions: [session], next_page_token: '' });
  return { value, bytes: value.length };
}
