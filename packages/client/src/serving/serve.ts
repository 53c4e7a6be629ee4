import { defined, type JsonObject, type JsonValue } from '@proffer/core/json';

/** What a tool's handler learns about the request. */
export interface ToolCall {
  /** The envelope id of the request: the same request never arrives twice. */
  readonly id: string;
  /** Who made the request. */
  readonly from: string;
  /** The proposal that the request fulfils or refers to, if any. */
  readonly proposal?: string;
  /** The grant by which that proposal runs, if any; `from` is the granter (O-41). */
  readonly grant?: string;
  /** Aborted when the participant is closed. */
  readonly signal: AbortSignal;
}

/** A tool that a participant runs for others. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. Not checked here. Default any object. */
  readonly inputSchema?: JsonObject;
  /**
   * What the tool says about itself, such as `readOnlyHint`: announced unchanged. A hint for rules and
   * people, not a promise.
   */
  readonly annotations?: JsonObject;
  /**
   * Runs the tool. A text becomes `{ content: [{ type: 'text', text }] }`, anything else is the result
   * unchanged. An exception becomes a JSON-RPC error, an OperationFailedError with its code and data.
   */
  readonly handler: (args: JsonObject, call: ToolCall) => ToolResult | Promise<ToolResult>;
}

/** Returned by a handler whose answer is sent later, as a message of its own: nothing is answered now. */
export const ANSWERED_LATER: unique symbol = Symbol('answered later');

export type ToolResult = JsonValue | undefined | typeof ANSWERED_LATER;

/** The definition of a tool as announced (O-26) and listed. */
export function toolDefinition({ name, description, inputSchema, annotations }: Tool): JsonObject {
  return {
    name,
    ...defined({ description }),
    inputSchema: inputSchema ?? { type: 'object' },
    ...defined({ annotations }),
  };
}

/** What a tool returned, as the result of `tools/call`. */
export function toolResult(returned: Exclude<ToolResult, typeof ANSWERED_LATER>): JsonValue {
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }] };
  return returned ?? { content: [] };
}

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
