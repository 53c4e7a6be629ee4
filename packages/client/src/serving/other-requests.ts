import type { JsonObject, JsonValue } from '@proffer/core/json';
import type { ToolCall } from './serve.js';

/** A request that is not about tools. */
export interface OtherRequest {
  /** Any MCP method but `tools/call` and `tools/list`. */
  readonly method: string;
  /** Empty where the request has none. */
  readonly params: JsonObject;
}

/** How a participant answers what is not about tools: resources, prompts and whatever else MCP has. */
export interface OtherRequests {
  /** MCP definitions of resources, announced as they are (O-26). Default: nothing is announced about them. */
  readonly resources?: readonly JsonObject[];
  /** MCP definitions of prompts, likewise. */
  readonly prompts?: readonly JsonObject[];
  /**
   * Answers one request; its return value is the result. What it throws becomes a JSON-RPC error, an
   * OperationFailedError with its code and data. It should fail for an unsupported method, so that no one waits for it.
   */
  readonly handler: (request: OtherRequest, call: ToolCall) => JsonValue | Promise<JsonValue>;
}
