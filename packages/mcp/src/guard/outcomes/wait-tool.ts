import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';

/** The tool that a guard adds to those of the server. */
export const WAIT_TOOL = 'proffer_wait';

const DEFINITION: JsonObject = {
  name: WAIT_TOOL,
  title: 'Wait for an approval',
  description:
    'Waits for the decision on a call that needs approval, and gives its result. Use it when a tool answered that it has not run yet, with the proposal that it named.',
  inputSchema: {
    type: 'object',
    properties: { proposal: { type: 'string', description: 'The id that the answer named.' } },
    required: ['proposal'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** The tools in a result of `tools/list`. */
export function toolsIn({ tools }: JsonObject): readonly JsonObject[] {
  return isJsonArray(tools) ? tools.filter(isJsonObject) : [];
}

/**
 * A result of `tools/list` with the wait tool at its end; only on the last page, and not where the
 * server has a tool of that name, which then keeps it.
 */
export function withWaitTool(result: JsonObject): JsonObject {
  const { nextCursor } = result;
  const isLast = nextCursor === undefined || nextCursor === null;
  const tools = toolsIn(result);
  if (!isLast || tools.some(({ name }) => name === WAIT_TOOL)) return result;
  return { ...result, tools: [...tools, DEFINITION] satisfies readonly JsonValue[] };
}
