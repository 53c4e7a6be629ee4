import { failure, type Result, refuse, success } from '@proffer/core';
import { quote } from '@proffer/core/json';
import {
  type DefaultPolicy,
  MACP_VERSION,
  type ModeDescriptor,
  servedModes,
} from '@proffer/core/negotiation';
import { VERSION } from '../version.js';

/** The wire's `InitializeRequest`, as far as it is used. */
export interface InitializeRequest {
  readonly supported_protocol_versions: readonly string[];
}

/** The wire's `InitializeResponse`, with its field names. */
export type InitializeResponse = {
  readonly selected_protocol_version: string;
  readonly runtime_info: RuntimeInfo;
  readonly capabilities: Capabilities;
  readonly supported_modes: readonly string[];
  readonly instructions: string;
};

export type RuntimeInfo = {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly website_url: string;
};

/** The wire's `Capabilities`. */
export type Capabilities = {
  readonly sessions: {
    readonly stream: boolean;
    readonly list_sessions: boolean;
    readonly watch_sessions: boolean;
  };
  readonly cancellation: { readonly cancel_session: boolean };
  readonly progress: { readonly progress: boolean };
  readonly manifest: { readonly get_manifest: boolean };
  readonly mode_registry: { readonly list_modes: boolean; readonly list_changed: boolean };
  readonly roots: { readonly list_roots: boolean; readonly list_changed: boolean };
  readonly policy_registry: {
    readonly register_policy: boolean;
    readonly list_policies: boolean;
    readonly list_changed: boolean;
    readonly rule_extensions: readonly string[];
    readonly what_if_replay: boolean;
  };
  readonly decision_receipt: { readonly get_decision_receipt: boolean; readonly signed: boolean };
};

/** The wire's `AgentManifest`. */
export type AgentManifest = {
  readonly agent_id: string;
  readonly title: string;
  readonly description: string;
  readonly supported_modes: readonly string[];
  readonly input_content_types: readonly string[];
  readonly output_content_types: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly transport_endpoints: readonly TransportEndpoint[];
};

/** Where the runtime can be reached. */
export type TransportEndpoint = {
  /** `grpc`, `http`, `ws`. */
  readonly transport: string;
  readonly uri: string;
  readonly content_types: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
};

const CAPABILITIES: Omit<Capabilities, 'decision_receipt'> = {
  sessions: { stream: true, list_sessions: true, watch_sessions: true },
  cancellation: { cancel_session: true },
  progress: { progress: true },
  manifest: { get_manifest: true },
  mode_registry: { list_modes: true, list_changed: true },
  // The list of the runtime never changes.
  roots: { list_roots: true, list_changed: false },
  policy_registry: {
    register_policy: true,
    list_policies: true,
    list_changed: true,
    rule_extensions: [],
    what_if_replay: true,
  },
};

const RUNTIME_INFO: RuntimeInfo = {
  name: 'proffer',
  title: 'Proffer',
  version: VERSION,
  description: 'Negotiations between agents, durable and replayable.',
  website_url: '',
};

/** What a client is told when it begins. */
export interface InitializeFacts {
  /** Every mode in which a session can be started. */
  readonly modes: readonly ModeDescriptor[];
  /** Whether receipts are signed. */
  readonly signed: boolean;
}

/**
 * Chooses the protocol version. Refuses with `UNSUPPORTED_PROTOCOL_VERSION` if none is shared.
 */
export function initialize(
  { supported_protocol_versions }: InitializeRequest,
  { modes, signed }: InitializeFacts,
): Result<InitializeResponse> {
  if (!supported_protocol_versions.includes(MACP_VERSION)) {
    const found = supported_protocol_versions.slice(0, 10).map(quote).join(', ');
    const sentence = `supported_protocol_versions ${found === '' ? 'is empty' : `has only ${found}`}.`;
    return failure(
      refuse('UNSUPPORTED_PROTOCOL_VERSION', sentence, {
        field: 'supported_protocol_versions',
        found: found || 'nothing',
        expected: MACP_VERSION,
      }),
    );
  }
  return success({
    selected_protocol_version: MACP_VERSION,
    runtime_info: RUNTIME_INFO,
    capabilities: { ...CAPABILITIES, decision_receipt: { get_decision_receipt: true, signed } },
    supported_modes: modes.map(({ mode }) => mode),
    // What a registered mode needs is between those who registered it.
    instructions: servedModes().map(adviseOnStart).join(' '),
  });
}

function adviseOnStart({ mode, mode_version }: ModeDescriptor): string {
  return `Start a session in ${mode}; its version is ${mode_version}.`;
}

/** What a gateway's manifest contains. */
export interface RuntimeFacts {
  readonly endpoints: readonly TransportEndpoint[];
  /** Every mode in which a session can be started. */
  readonly modes: readonly ModeDescriptor[];
  /** The default rules for a session that names no policy. */
  readonly defaultPolicy: DefaultPolicy;
}

/** Describes the runtime itself; there is no other agent to describe. */
export function describeRuntime(
  agentId: string,
  { endpoints, modes, defaultPolicy }: RuntimeFacts,
): Result<AgentManifest> {
  const { name, title, description } = RUNTIME_INFO;
  if (agentId !== '' && agentId !== name) {
    const details = { field: 'agent_id', found: quote(agentId), expected: name };
    const sentence = `Agent ${quote(agentId)} not found; the only agent here is ${quote(name)}.`;
    return failure(refuse('INVALID_ENVELOPE', sentence, details));
  }
  return success({
    agent_id: name,
    title,
    description,
    supported_modes: modes.map(({ mode }) => mode),
    input_content_types: ['application/protobuf', 'application/json'],
    output_content_types: ['application/protobuf', 'application/json'],
    metadata: { default_policy: defaultPolicy },
    transport_endpoints: endpoints,
  });
}
