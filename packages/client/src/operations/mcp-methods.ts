import type { JsonObject, JsonValue } from '@proffer/core/json';

/** One content block of a tool result or a prompt, as in MCP. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string; readonly annotations?: JsonObject }
  | {
      readonly type: 'image' | 'audio';
      /** In base64. */
      readonly data: string;
      readonly mimeType: string;
      readonly annotations?: JsonObject;
    }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
    }
  | { readonly type: 'resource'; readonly resource: ResourceContents; readonly annotations?: JsonObject };

/** The content of a resource: text, or bytes in base64. */
export type ResourceContents = {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
};

/** A tool's output. With `isError` it failed, and says how. */
export type CallToolResult = {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
};

/** One page of a list; with `nextCursor` there are more. */
type Page<Key extends string> = { readonly [Name in Key]: readonly JsonObject[] } & {
  readonly nextCursor?: string;
};

type Listing = { readonly cursor?: string };

/** The requests that an MCP client makes to a server: their params and results. */
export type McpMethods = {
  'tools/call': {
    readonly params: { readonly name: string; readonly arguments?: JsonObject };
    readonly result: CallToolResult;
  };
  'tools/list': { readonly params: Listing; readonly result: Page<'tools'> };
  'resources/list': { readonly params: Listing; readonly result: Page<'resources'> };
  'resources/templates/list': { readonly params: Listing; readonly result: Page<'resourceTemplates'> };
  'resources/read': {
    readonly params: { readonly uri: string };
    readonly result: { readonly contents: readonly ResourceContents[] };
  };
  'resources/subscribe': { readonly params: { readonly uri: string }; readonly result: JsonObject };
  'resources/unsubscribe': { readonly params: { readonly uri: string }; readonly result: JsonObject };
  'prompts/list': { readonly params: Listing; readonly result: Page<'prompts'> };
  'prompts/get': {
    readonly params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> };
    readonly result: {
      readonly description?: string;
      readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentBlock }[];
    };
  };
  'completion/complete': {
    readonly params: {
      readonly ref: JsonObject;
      readonly argument: { readonly name: string; readonly value: string };
    };
    readonly result: {
      readonly completion: {
        readonly values: readonly string[];
        readonly total?: number;
        readonly hasMore?: boolean;
      };
    };
  };
  'logging/setLevel': { readonly params: { readonly level: string }; readonly result: JsonObject };
};

/** The params of a method: typed for MCP methods, any object for others. */
export type ParamsOf<Method extends string> = Method extends keyof McpMethods
  ? McpMethods[Method]['params']
  : JsonObject;

/** The result type of a method, typed for MCP methods. It is not validated. */
export type ResultOf<Method extends string> = Method extends keyof McpMethods
  ? McpMethods[Method]['result']
  : JsonValue;

/** The text of a tool's output, one piece per line; other content is left out. */
export function textIn({ content }: Pick<CallToolResult, 'content'>): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
