import { defined, type JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import { describeDecision, type RuleDecision } from '@proffer/steward';
import { guardAlias } from '@proffer/steward/guard';
import { INVALID_PARAMS, paramsOf, type RpcRequest } from '../../json-rpc.js';
import type { GuardSettings } from '../guard-settings.js';
import type { Toolbook } from '../tools/index.js';
import type { RuledCallEntry } from './decision-entry.js';

/** What a guard passes to its rules. */
interface Deciding {
  readonly settings: Pick<GuardSettings, 'decide' | 'server' | 'clock'>;
  readonly toolbook: Toolbook;
  readonly principal: string;
  /** On whose behalf a request with these params is made, as far as known. */
  readonly origin?: (params: JsonObject) => Origin | undefined;
}

/**
 * What the rules say about a call now.
 *
 * @param params - the request's params, if there is one: since 2026-07-28 they identify the client
 */
export function decideCall(
  by: Deciding,
  tool: string,
  args: JsonObject,
  params: JsonObject = {},
): RuleDecision {
  const annotations = by.toolbook.annotations(tool);
  const facts = { tool, arguments: args, ...defined({ annotations }) };
  return by.settings.decide({ ...circumstances(by, params), ...facts });
}

/** A request that a rule denies: the answer to its sender, and what is recorded. */
export interface DeniedRequest {
  readonly error: JsonObject;
  readonly ruled: RuledCallEntry;
}

/**
 * The denial of reading a resource or getting a prompt. Only rules that name resources or prompts apply: a guard asks
 * people about tools, and everything else has always passed.
 */
export function denySubject(by: Deciding, request: RpcRequest): DeniedRequest | undefined {
  const { method } = request;
  if (!SUBJECT_METHODS.has(method)) return undefined;
  const { _meta, ...args } = paramsOf(request);
  const about = circumstances(by, paramsOf(request));
  const decision = by.settings.decide({ ...about, method, tool: method, arguments: args });
  if (decision.subject === undefined || decision.action === 'allow') return undefined;
  const why =
    decision.action === 'deny' ? '' : ' A guard asks people only about tools, so this request is refused.';
  const message = `Denied by rules: ${describeDecision(decision)}${why}`;
  return {
    error: { code: INVALID_PARAMS, message },
    ruled: { tool: method, arguments: args, decision: { ...decision, action: 'deny' } },
  };
}

const SUBJECT_METHODS: ReadonlySet<string> = new Set([
  'resources/read',
  'resources/subscribe',
  'prompts/get',
]);

function circumstances({ settings, principal, origin }: Deciding, params: JsonObject) {
  const { server, clock } = settings;
  const alias = guardAlias(principal, server);
  const { client, user } = origin?.(params) ?? {};
  return { participant: principal, server, ...defined({ alias, client, user }), time: clock.now() };
}
