import { Client, credentials } from '@grpc/grpc-js';
import { isJsonObject, parseJson } from '@proffer/core/json';
import { type Ack, MACP_VERSION, type MacpEnvelope, type PolicyRules } from '@proffer/core/negotiation';
import { decodeEnvelope, encodeEnvelope, RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import { extraCertificates, trustedCertificates } from '../../connection/trust.js';
import { type Acknowledgement, acknowledged } from '../acknowledgement.js';
import { MacpError, macpError } from '../macp-error.js';
import type { AcceptedEnvelope, MacpTransport, SessionEvent } from '../transport.js';
import { createCalls } from './calls.js';
import type { GrpcTransportOptions } from './grpc-on-demand.js';
import { errorFromText } from './status-error.js';

/** Notices a connection that died silently, and reconnects soon after one that broke. */
const CHANNEL = {
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 5_000,
  'grpc.max_receive_message_length': 64 * 1_048_576,
  'grpc.use_local_subchannel_pool': 1,
};

/** The trailer that marks that there are more sessions than fit into one answer. */

/** grpc-js ignores NODE_EXTRA_CA_CERTS. */
function defaultRoots(): Buffer | null {
  return extraCertificates().length === 0 ? null : Buffer.from(trustedCertificates().join('\n'));
}

/** The trailer with the rules that a session keeps; runtimes other than Proffer have none. */
const RULES = 'macp-rules-bin';

/** Opens a gRPC transport to a runtime. */
export function openGrpcTransport({
  target,
  secure,
  ca,
}: GrpcTransportOptions & { readonly target: string }): MacpTransport {
  const isSecure = secure ?? !/^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(target);
  const trusted = ca === undefined ? defaultRoots() : Buffer.from(ca);
  const client = new Client(
    target,
    isSecure ? credentials.createSsl(trusted) : credentials.createInsecure(),
    CHANNEL,
  );
  const { ask, follow } = createCalls(client);
  return {
    async initialize(attempt) {
      const request = { supported_protocol_versions: [MACP_VERSION] };
      const answer = await ask(RUNTIME_SERVICE.initialize, request, attempt);
      return {
        protocolVersion: answer.selected_protocol_version,
        name: answer.runtime_info?.name ?? '',
        version: answer.runtime_info?.version ?? '',
        supportedModes: answer.supported_modes,
        instructions: answer.instructions,
      };
    },
    async send(envelope, attempt) {
      const { ack } = await ask(RUNTIME_SERVICE.send, { envelope: encodeEnvelope(envelope) }, attempt);
      return acceptedIn(ack);
    },
    async getSession(session_id, attempt) {
      let rules: PolicyRules | undefined;
      const { metadata } = await ask(RUNTIME_SERVICE.getSession, { session_id }, attempt, (trailers) => {
        rules = rulesFrom(trailers.get(RULES)[0]);
      });
      if (metadata !== undefined) return rules === undefined ? metadata : { ...metadata, rules };
      throw new MacpError('SESSION_NOT_FOUND', 'The runtime returned no session.');
    },
    async controlSession(action, { sessionId, reason }, attempt) {
      const { ack } = await ask(
        RUNTIME_SERVICE[`${action}Session`],
        { session_id: sessionId, reason },
        attempt,
      );
      return acceptedIn(ack);
    },
    async listSessions(attempt) {
      const first = { page_size: 0, page_token: '' };
      const { sessions, next_page_token } = await ask(RUNTIME_SERVICE.listSessions, first, attempt);
      return { sessions, hasMore: next_page_token !== '' };
    },
    sessionHistory: () =>
      Promise.reject(new MacpError('UNSUPPORTED', 'MACP has no RPC for past sessions; use httpTransport.')),
    async getManifest(agent_id, attempt) {
      const { manifest } = await ask(RUNTIME_SERVICE.getManifest, { agent_id }, attempt);
      if (manifest !== undefined) return manifest;
      throw new MacpError('UNSUPPORTED', 'The runtime returned no manifest.');
    },
    listModes: async (attempt) => (await ask(RUNTIME_SERVICE.listModes, {}, attempt)).modes,
    listExtModes: async (attempt) => (await ask(RUNTIME_SERVICE.listExtModes, {}, attempt)).modes,
    async registerExtMode(mode_descriptor, attempt) {
      succeeded(await ask(RUNTIME_SERVICE.registerExtMode, { mode_descriptor }, attempt));
    },
    async unregisterExtMode(mode, attempt) {
      succeeded(await ask(RUNTIME_SERVICE.unregisterExtMode, { mode }, attempt));
    },
    async promoteMode(mode, promoted_mode_name, attempt) {
      const answer = await ask(RUNTIME_SERVICE.promoteMode, { mode, promoted_mode_name }, attempt);
      succeeded(answer);
      return answer.mode;
    },
    async registerPolicy(policy_descriptor, attempt) {
      succeeded(await ask(RUNTIME_SERVICE.registerPolicy, { policy_descriptor }, attempt));
    },
    async unregisterPolicy(policy_id, attempt) {
      succeeded(await ask(RUNTIME_SERVICE.unregisterPolicy, { policy_id }, attempt));
    },
    async getPolicy(policy_id, attempt) {
      const { policy_descriptor } = await ask(RUNTIME_SERVICE.getPolicy, { policy_id }, attempt);
      if (policy_descriptor !== undefined) return policy_descriptor;
      throw new MacpError('UNKNOWN_POLICY_VERSION', 'The runtime returned no policy.');
    },
    listPolicies: async (mode, attempt) =>
      (await ask(RUNTIME_SERVICE.listPolicies, { mode }, attempt)).descriptors,
    async *subscribe(subscribe_session_id, after, attempt): AsyncGenerator<AcceptedEnvelope, undefined> {
      const request = { subscribe_session_id, after_sequence: after };
      let sequence = after;
      for await (const { envelope, error } of follow(RUNTIME_SERVICE.streamSession, request, attempt)) {
        if (error !== undefined) throw macpError(error.code, error.message, { details: error.details });
        // Every accepted message arrives, in order, so that counting them gives their numbers.
        if (envelope !== undefined) yield { sequence: ++sequence, envelope: decoded(envelope) };
      }
    },
    async *watchSessions(attempt): AsyncGenerator<SessionEvent, undefined> {
      for await (const { event } of follow(RUNTIME_SERVICE.watchSessions, {}, attempt)) {
        const { event_type: type, session, observed_at_unix_ms: observedAt } = event ?? {};
        if (type === undefined || type === 'UNSPECIFIED' || session === undefined) continue;
        yield { type, session, observedAt: observedAt ?? 0 };
      }
    },
    async *watchPolicies(attempt) {
      for await (const { descriptors } of follow(RUNTIME_SERVICE.watchPolicies, {}, attempt))
        yield descriptors;
    },
    async *watchSignals(attempt) {
      for await (const { envelope } of follow(RUNTIME_SERVICE.watchSignals, {}, attempt)) {
        if (envelope !== undefined) yield decoded(envelope);
      }
    },
    async *watchModeRegistry(attempt) {
      for await (const { change } of follow(RUNTIME_SERVICE.watchModeRegistry, {}, attempt))
        yield { observedAt: change?.observed_at_unix_ms ?? 0 };
    },
    async *watchRoots(attempt) {
      for await (const { change } of follow(RUNTIME_SERVICE.watchRoots, {}, attempt))
        yield { observedAt: change?.observed_at_unix_ms ?? 0 };
    },
    close() {
      client.close();
      return Promise.resolve();
    },
  };
}

function acceptedIn(ack: Ack | undefined): Acknowledgement {
  if (ack !== undefined) return acknowledged(ack);
  throw new MacpError('INTERNAL_ERROR', 'The runtime returned no acknowledgement.');
}

function succeeded({ ok, error }: { readonly ok: boolean; readonly error: string }): void {
  if (!ok) throw errorFromText(error);
}

function decoded(wire: WireEnvelope): MacpEnvelope {
  const { envelope, unreadable } = decodeEnvelope(wire);
  if (unreadable === undefined) return envelope;
  throw macpError(unreadable.code, unreadable.message, { details: unreadable.details });
}

function rulesFrom(trailer: string | Buffer | undefined): PolicyRules | undefined {
  if (trailer === undefined) return undefined;
  const json = parseJson(trailer.toString());
  return json.ok && isJsonObject(json.value) ? json.value : undefined;
}
