import {
  failure,
  type GrpcRefusalStatus,
  REFUSALS,
  type RefusalCode,
  type Result,
  success,
} from '@proffer/core';
import type { Ack } from '@proffer/core/negotiation';
import { type Method, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import type { NegotiationCalls, Negotiations } from '../negotiation/index.js';

type Answer<Response> = Result<Response> | Promise<Result<Response>>;

/** How a transport serves one RPC. */
interface Carrier<Route> {
  /** For callers with a valid token. */
  readonly asParty: <Request, Response>(
    method: Method<Request, Response, 'unary'>,
    handle: (calls: NegotiationCalls, request: Request) => Answer<Response>,
  ) => Route;
  /** For everyone, even without a token. */
  readonly asAnyone: <Request, Response>(
    method: Method<Request, Response, 'unary'>,
    handle: (request: Request) => Answer<Response>,
  ) => Route;
}

/**
 * The unary RPCs of the runtime that are the same on every transport: all but `Send`, `GetManifest`,
 * `GetSession` and `ListSessions`.
 */
export function carryUnaryCalls<Route>(
  negotiations: Negotiations,
  { asParty, asAnyone }: Carrier<Route>,
): readonly Route[] {
  return [
    asAnyone(RPC.initialize, (request) => negotiations.initialize(request)),
    asParty(RPC.cancelSession, control('cancel')),
    asParty(RPC.suspendSession, control('suspend')),
    asParty(RPC.resumeSession, control('resume')),
    asAnyone(RPC.listModes, () => withField('modes', negotiations.modes())),
    asAnyone(RPC.listExtModes, () => withField('modes', negotiations.extensionModes())),
    asParty(RPC.registerExtMode, async (calls, { mode_descriptor }) =>
      done(await calls.registerMode(mode_descriptor ?? {})),
    ),
    asParty(RPC.unregisterExtMode, async (calls, { mode }) => done(await calls.unregisterMode(mode))),
    asParty(RPC.promoteMode, async (calls, { mode, promoted_mode_name }) => {
      const promoted = await calls.promoteMode(mode, promoted_mode_name);
      const answer = done(promoted);
      return answer.ok ? success({ ...answer.value, mode: promoted.ok ? promoted.value.mode : '' }) : answer;
    }),
    asAnyone(RPC.listRoots, () => withField('roots', negotiations.roots())),
    asParty(RPC.registerPolicy, async (calls, { policy_descriptor }) =>
      done(await calls.registerPolicy(policy_descriptor ?? {})),
    ),
    asParty(RPC.unregisterPolicy, async (calls, { policy_id }) =>
      done(await calls.unregisterPolicy(policy_id)),
    ),
    asParty(RPC.getPolicy, (calls, { policy_id }) => withField('policy_descriptor', calls.policy(policy_id))),
    asParty(RPC.listPolicies, (calls, { mode }) => withField('descriptors', calls.policies(mode))),
    asParty(RPC.getDecisionReceipt, async (calls, { session_id }) =>
      withField('receipt_json', await calls.receipt(session_id)),
    ),
    asAnyone(RPC.getReceiptKeys, async () => withField('jwks_json', await negotiations.receiptKeys())),
    asParty(RPC.whatIfReplay, (calls, { session_id, candidate }) =>
      calls.whatIf(session_id, candidate ?? {}),
    ),
  ];
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

/** A response with one field. */
export function withField<Name extends string, Value>(
  name: Name,
  result: Result<Value>,
): Result<{ readonly [Field in Name]: Value }> {
  // The compiler cannot see that a computed key is the only key.
  return result.ok ? success({ [name]: result.value } as { readonly [Field in Name]: Value }) : result;
}
