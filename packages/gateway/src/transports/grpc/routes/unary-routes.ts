import { failure, type RefusalCode, type Result, success } from '@proffer/core';
import { type Ack } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE as RPC } from '@proffer/wire';
import type { Negotiations, Party } from '../../../negotiation/index.js';
import { type Caller, frame, type Handle, PREFIX, type Route, readOne, unary } from '../call/index.js';
import { getSessionRoute } from './get-session.js';
import { listSessionsRoute } from './list-sessions.js';

/** Every RPC of the runtime with one request and one response, but `Send`. */
export function unaryRoutes(negotiations: Negotiations): readonly Route[] {
  return [
    forEverybody(unary(RPC.initialize, (request) => negotiations.initialize(request))),
    forEverybody(manifestRoute(negotiations)),
    getSessionRoute,
    listSessionsRoute,
    unary(RPC.cancelSession, asParty(control('cancel'))),
    unary(RPC.suspendSession, asParty(control('suspend'))),
    unary(RPC.resumeSession, asParty(control('resume'))),
    forEverybody(unary(RPC.listModes, () => withField('modes', negotiations.modes()))),
    forEverybody(unary(RPC.listExtModes, () => withField('modes', negotiations.extensionModes()))),
    unary(
      RPC.registerExtMode,
      asParty(async (party, { mode_descriptor }) => done(await party.registerMode(mode_descriptor ?? {}))),
    ),
    unary(
      RPC.unregisterExtMode,
      asParty(async (party, { mode }) => done(await party.unregisterMode(mode))),
    ),
    unary(
      RPC.promoteMode,
      asParty(async (party, { mode, promoted_mode_name }) => {
        const promoted = await party.promoteMode(mode, promoted_mode_name);
        const answer = done(promoted);
        return answer.ok
          ? success({ ...answer.value, mode: promoted.ok ? promoted.value.mode : '' })
          : answer;
      }),
    ),
    forEverybody(unary(RPC.listRoots, () => withField('roots', negotiations.roots()))),
    unary(
      RPC.registerPolicy,
      asParty(async (party, { policy_descriptor }) =>
        done(await party.registerPolicy(policy_descriptor ?? {})),
      ),
    ),
    unary(
      RPC.unregisterPolicy,
      asParty(async (party, { policy_id }) => done(await party.unregisterPolicy(policy_id))),
    ),
    unary(
      RPC.getPolicy,
      asParty((party, { policy_id }) => withField('policy_descriptor', party.policy(policy_id))),
    ),
    unary(
      RPC.listPolicies,
      asParty((party, { mode }) => withField('descriptors', party.policies(mode))),
    ),
  ];
}

/** An agent that is not there is not found, whatever else is meant by the code that MACP has for it. */
function manifestRoute(negotiations: Negotiations): Route {
  const { response } = RPC.getManifest;
  return readOne(RPC.getManifest, async (request, { call }) => {
    if (!request.ok) return call.refuse(request.refusal);
    const found = negotiations.manifest(request.value.agent_id);
    if (found.ok) return call.reply(frame(response.write({ manifest: found.value }, PREFIX)));
    const { code, message } = found.refusal;
    call.finish('NOT_FOUND', `${code}: ${message}`, code);
  });
}

const DONE = { ok: true, error: '' } as const;

/** What a registry says no to: the answer then has `ok: false`, as that of other runtimes, and no status. */
const SAID_NO: ReadonlySet<RefusalCode> = new Set([
  'INVALID_POLICY_DEFINITION',
  'UNKNOWN_POLICY_VERSION',
  'MODE_NOT_SUPPORTED',
  'INVALID_ENVELOPE',
]);

function done(result: Result<unknown>): Result<{ readonly ok: boolean; readonly error: string }> {
  if (result.ok) return success(DONE);
  const { code, message } = result.refusal;
  return SAID_NO.has(code) ? success({ ok: false, error: `${code}: ${message}` }) : result;
}

function forEverybody(route: Route): Route {
  return { ...route, access: 'everybody' };
}

/** Only for those who are authenticated. */
function asParty<Request, Response>(
  handle: (party: Party, request: Request) => Result<Response> | Promise<Result<Response>>,
): Handle<Request, Response> {
  return async (request, caller: Caller) => {
    const admitted = await caller.admit();
    return admitted.ok ? await handle(admitted.value, request) : admitted;
  };
}

function control(type: Parameters<Party['control']>[0]) {
  return async (
    party: Party,
    { session_id, reason }: { readonly session_id: string; readonly reason: string },
  ): Promise<Result<{ readonly ack: Ack }>> => {
    const ack = await party.control(type, session_id, reason);
    if (ack.error === undefined) return success({ ack });
    const { code, message, details } = ack.error;
    // The runtime made it of a refusal.
    return failure({ code: code as RefusalCode, message, details });
  };
}

function withField<Name extends string, Value>(
  name: Name,
  result: Result<Value>,
): Result<{ readonly [Field in Name]: Value }> {
  // The compiler cannot see that a computed key is the one key there is.
  return result.ok ? success({ [name]: result.value } as { readonly [Field in Name]: Value }) : result;
}
