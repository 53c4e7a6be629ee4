import type { PolicyRules } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE } from '@proffer/wire';
import { asParty, frame, PREFIX, type Route } from '../call/index.js';
import { OK, type Trailers } from '../trailers.js';

const { getSession: GET } = RUNTIME_SERVICE;

/** Clients read at least eight thousand bytes of trailers; larger rules are left out. */
const MAX_RULES_LENGTH = 4_096;

/**
 * `GetSession`: the state of a session. The wire has no field for its rules, which it keeps even if its
 * policy is unregistered (N-13), so they are in the trailer `macp-rules-bin`, as JSON.
 */
export const getSessionRoute: Route = asParty(GET, async (calls, { session_id }, { call }) => {
  const found = await calls.session(session_id);
  if (!found.ok) return call.refuse(found.refusal);
  const { rules, ...metadata } = found.value;
  call.reply(frame(GET.response.write({ metadata }, PREFIX)), trailersWith(rules));
});

function trailersWith(rules: PolicyRules | undefined): Trailers {
  const encoded = Buffer.from(JSON.stringify(rules ?? {})).toString('base64');
  return rules === undefined || encoded.length > MAX_RULES_LENGTH ? OK : { ...OK, 'macp-rules-bin': encoded };
}
