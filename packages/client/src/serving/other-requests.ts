import type { JsonObject, JsonValue } from '@proffer/core/json';
import type { ToolCall } from './serve.js';

/** A request that is not about tools. */
export interface OtherRequest {
  /** Any MCP method but `tools/call` and `tools/list`. */
  readonly method: string;
  /** Empty if the request has none. */
  readonly params: JsonObject;
}

/**
 * How a participant answers requests that are not about tools: resources, prompts and everything else
 * in MCP.
 */
export interface OtherRequests {
  /** MCP definitions of resources, announced unchanged (O-26). Default: nothing is announced about them. */
  readonly resources?: readonly JsonObject[];
  /** MCP definitions of prompts, likewise. */
  readonly prompts?: readonly JsonObject[];
  /**
   * Answers one request; its return value is the result. An exception becomes a JSON-RPC error, an
   * OperationFailedError with its code and data. It should throw for an unsupported method, so that no
   * one waits for it.
   */
  readonly handler: (request: OtherRequest, call: ToolCall) => JsonValue | Promise<JsonValue>;
}
