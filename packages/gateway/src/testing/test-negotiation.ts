import { randomUUID } from 'node:crypto';
import { success } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import { type Ack } from '@proffer/core/negotiation';
import type { Journal } from '@proffer/journal';
import { createAuthenticator } from '../door/auth/index.js';
import { createDoor } from '../door/door.js';
import { createConnectionLimiter } from '../door/limits/index.js';
import { loopbackConfig } from '../loopback.js';
import { createMetrics } from '../metrics/metrics.js';
import { createNegotiations, type NegotiationCalls, NegotiationRuntime } from '../negotiation/index.js';
import type { NegotiationRuntimeOptions } from '../negotiation/negotiation-runtime.js';
import type { ReceiptLog } from '../negotiation/receipts.js';

/** The NegotiationRuntime without a transport, closed by `await using`. */
export interface TestNegotiation extends AsyncDisposable {
  readonly negotiation: NegotiationRuntime;
  readonly caller: (name: string) => Promise<NegotiationCalls>;
  /** Sends one message as a participant. */
  readonly say: (
    session: string,
    sender: string,
    type: string,
    payload: JsonObject,
    id?: string,
  ) => Promise<Ack>;
}

export interface TestPlaneOptions {
  readonly clock?: () => number;
  readonly maxUnread?: number;
  readonly yaml?: string;
  /** What signs receipts. Default: nothing. */
  readonly evidence?: ReceiptLog;
  /** How it learns of history. Default: on its own. */
  readonly history?: Pick<NegotiationRuntimeOptions, 'replay' | 'from' | 'onReplayed'>;
}

/** Opens one in dev mode, where everyone may speak for everyone. The journal stays open. */
export async function openTestNegotiation(
  journal: Journal,
  options: TestPlaneOptions = {},
): Promise<TestNegotiation> {
  const { clock = Date.now, maxUnread = 1_048_576, yaml = 'dev: true', history = {}, evidence } = options;
  const config = loopbackConfig(yaml);
  const negotiation = await NegotiationRuntime.open({
    journal,
    ...history,
    defaultPolicy: config.negotiation.defaultPolicy,
    clock,
    maxUnread,
    onRecords: () => {},
    onFellBehind: () => {},
    onFault: (error) => {
      throw error;
    },
    onBroken: () => {},
  });
  const negotiations = createNegotiations({
    door: createDoor({
      authenticator: createAuthenticator(config, clock),
      connections: createConnectionLimiter(config.limits.connectionsPerToken),
    }),
    limits: config.limits,
    metrics: createMetrics(),
    runtime: () => negotiation,
    endpoints: () => [],
    defaultPolicy: config.negotiation.defaultPolicy,
    evidence: () => evidence,
    hasFixedPolicies: config.negotiation.policies !== undefined,
    dev: config.dev,
  });
  async function caller(name: string): Promise<NegotiationCalls> {
    const admitted = await negotiations.admit(name, 'http');
    const attempted = admitted.ok ? admitted.value.checkRightsAndRate() : admitted;
    if (!attempted.ok) throw new Error(attempted.refusal.message);
    return attempted.value;
  }
  return {
    negotiation,
    caller,
    async say(session_id, sender, message_type, payload, message_id = randomUUID()) {
      const envelope = {
        macp_version: '1.0',
        mode: 'macp.mode.proposal.v1',
        message_type,
        message_id,
        session_id,
        sender,
        timestamp_unix_ms: 0,
        payload,
      };
      return await (await caller(sender)).send({
        address: envelope,
        decode: () => success({ envelope, payloadBytes: 0 }),
      });
    },
    [Symbol.asyncDispose]: async () => {
      await negotiation.drain();
      negotiation.end();
    },
  };
}
