/** What a runtime says about itself. */
export interface RuntimeDescription {
  /** The version of the protocol that both sides speak. */
  readonly protocolVersion: string;
  readonly name: string;
  /** Empty over HTTP, which does not say. */
  readonly version: string;
  readonly supportedModes: readonly string[];
  /** What the runtime wants its clients to know; may be empty. */
  readonly instructions: string;
}
