import {
  failure,
  type GrpcRefusalStatus,
  REFUSALS,
  type RefusalCode,
  type Result,
  success,
} from '@proffer/core';
import type { Ack, PolicyRules } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE as RPC, RUNTIME_SERVICE } from '@proffer/wire';
import type { NegotiationCalls, Negotiations } from '../../../negotiation/index.js';
import { asParty, frame, type GrpcRoute, PREFIX, readOne, unary, unaryForAll } from '../call/index.js';
import { OK, type Trailers } from '../trailers.js';
import { listSessionsRoute } from './list-sessions.js';

const { getSession: GET } = RUNTIME_SERVICE;

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
    unaryForAll(RPC.initialize, (request) => negotiations.initialize(request)),
    manifestRoute(negotiations),
    getSessionRoute,
    listSessionsRoute,
    unary(RPC.cancelSession, control('cancel')),
    unary(RPC.suspendSession, control('suspend')),
    unary(RPC.resumeSession, control('resume')),
    unaryForAll(RPC.listModes, () => withField('modes', negotiations.modes())),
    unaryForAll(RPC.listExtModes, () => withField('modes', negotiations.extensionModes())),
    unary(RPC.registerExtMode, async (calls, { mode_descriptor }) =>
      done(await calls.registerMode(mode_descriptor ?? {})),
    ),
    unary(RPC.unregisterExtMode, async (calls, { mode }) => done(await calls.unregisterMode(mode))),
    unary(RPC.promoteMode, async (calls, { mode, promoted_mode_name }) => {
      const promoted = await calls.promoteMode(mode, promoted_mode_name);
      const answer = done(promoted);
      return answer.ok ? success({ ...answer.value, mode: promoted.ok ? promoted.value.mode : '' }) : answer;
    }),
    unaryForAll(RPC.listRoots, () => withField('roots', negotiations.roots())),
    unary(RPC.registerPolicy, async (calls, { policy_descriptor }) =>
      done(await calls.registerPolicy(policy_descriptor ?? {})),
    ),
    unary(RPC.unregisterPolicy, async (calls, { policy_id }) =>
      done(await calls.unregisterPolicy(policy_id)),
    ),
    unary(RPC.getPolicy, (calls, { policy_id }) => withField('policy_descriptor', calls.policy(policy_id))),
    unary(RPC.listPolicies, (calls, { mode }) => withField('descriptors', calls.policies(mode))),
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

const DONE = { ok: true, error: '' } as const;

/** Refusals of a registry itself: the answer then has `ok: false`, as in other runtimes, and no status. */
const SAID_NO: ReadonlySet<GrpcRefusalStatus> = new Set(['INVALID_ARGUMENT', 'NOT_FOUND']);

function done(result: Result<unknown>): Result<{ readonly ok: boolean; readonly error: string }> {
  if (result.ok) return success(DONE);
  const { code, message } = result.refusal;
  return SAID_NO.has(REFUSALS[code].grpc) ? success({ ok: false, error: `${code}: ${message}` }) : result;
}

function control(type: Parameters<NegotiationCalls['control']>[0]) {
  return async (
    calls: NegotiationCalls,
    { session_id, reason }: { readonly session_id: string; readonly reason: string },
  ): Promise<Result<{ readonly ack: Ack }>> => {
    const ack = await calls.control(type, session_id, reason);
    if (ack.error === undefined) return success({ ack });
    const { code, message, details } = ack.error;
    // The runtime made it from a refusal.
    return failure({ code: code as RefusalCode, message, details });
  };
}

function withField<Name extends string, Value>(
  name: Name,
  result: Result<Value>,
): Result<{ readonly [Field in Name]: Value }> {
  // The compiler cannot see that a computed key is the only key.
  return result.ok ? success({ [name]: result.value } as { readonly [Field in Name]: Value }) : result;
}
