import type { JsonObject } from '@proffer/core/json';

/** What a runtime says about itself. */
export interface RuntimeDescription {
  /** The protocol version that both sides speak. */
  readonly protocolVersion: string;
  readonly name: string;
  /** Empty over HTTP, which does not say. */
  readonly version: string;
  readonly supportedModes: readonly string[];
  /** The runtime's notes for its clients; may be empty. */
  readonly instructions: string;
}

/** What a runtime is and where it can be reached, with wire names. */
export type RuntimeManifest = {
  readonly agent_id: string;
  readonly title: string;
  readonly description: string;
  readonly supported_modes: readonly string[];
  readonly input_content_types: readonly string[];
  readonly output_content_types: readonly string[];
  readonly metadata: JsonObject;
  readonly transport_endpoints: readonly {
    /** Such as `grpc` and `http`. */
    readonly transport: string;
    readonly uri: string;
    readonly content_types: readonly string[];
    readonly metadata: JsonObject;
  }[];
};

/** A registry of the runtime is there, or has changed; request its list again. */
export interface RegistryChange {
  /** Milliseconds since 1970. */
  readonly observedAt: number;
}
