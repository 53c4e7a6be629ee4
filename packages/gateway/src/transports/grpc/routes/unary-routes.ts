import type { PolicyRules } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE as RPC } from '@proffer/wire';
import type { Negotiations } from '../../../negotiation/index.js';
import { carryUnaryCalls } from '../../unary-calls.js';
import { asParty, frame, type GrpcRoute, PREFIX, readOne, unary, unaryForAll } from '../call/index.js';
import { OK, type Trailers } from '../trailers.js';
import { listSessionsRoute } from './list-sessions.js';

const { getSession: GET } = RPC;

/** Clients read at least eight thousand bytes of trailers; larger rules are left out. */
const MAX_RULES_LENGTH = 4_096;

/**
 * `GetSession`: the state of a session. The wire has no field for its rules, which it keeps even if its
 * policy is unregistered (N-13), so they are in the trailer `macp-rules-bin`, as JSON.
 */
const getSessionRoute: GrpcRoute = asParty(GET, async (calls, { session_id }, { call }) => {
  const found = await calls.session(session_id);
  if (!found.ok) return call.refuse(found.refusal);
  const { rules, ...metadata } = found.value;
  call.reply(frame(GET.response.write({ metadata }, PREFIX)), trailersWith(rules));
});

function trailersWith(rules: PolicyRules | undefined): Trailers {
  const encoded = Buffer.from(JSON.stringify(rules ?? {})).toString('base64');
  return rules === undefined || encoded.length > MAX_RULES_LENGTH ? OK : { ...OK, 'macp-rules-bin': encoded };
}

/** Every unary RPC of the runtime, except `Send`. */
export function unaryRoutes(negotiations: Negotiations): readonly GrpcRoute[] {
  return [
    manifestRoute(negotiations),
    getSessionRoute,
    listSessionsRoute,
    ...carryUnaryCalls(negotiations, { asParty: unary, asAnyone: unaryForAll }),
  ];
}

/** An unknown agent is NOT_FOUND, whatever else MACP's code for it means. */
function manifestRoute(negotiations: Negotiations): GrpcRoute {
  const { response } = RPC.getManifest;
  const route = readOne(RPC.getManifest, async (request, { call }) => {
    if (!request.ok) return call.refuse(request.refusal);
    const found = negotiations.manifest(request.value.agent_id);
    if (found.ok) return call.reply(frame(response.write({ manifest: found.value }, PREFIX)));
    const { code, message } = found.refusal;
    call.finish('NOT_FOUND', `${code}: ${message}`, code);
  });
  return { ...route, access: 'everybody' };
}
