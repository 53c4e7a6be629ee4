import { type JsonObject, type JsonValue, objectsIn } from '@proffer/core/json';
import { objectAt } from '../json-rpc.js';
import { TASKS_KEY } from '../revision.js';
import { folded } from './folded.js';

/** The tool that a guard adds to the server's. */
export const WAIT_TOOL = 'proffer_wait';

const DEFINITION: JsonObject = {
  name: WAIT_TOOL,
  title: 'Wait for an approval',
  description:
    'Waits for the decision on a call that needs approval, and returns its result. Use it when a tool answered that it has not run yet, with the proposal from that answer.',
  inputSchema: {
    type: 'object',
    properties: { proposal: { type: 'string', description: 'The id of the call, from that answer.' } },
    required: ['proposal'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** The tool by which a caller accepts a counter-offer (O-40). */
export const ACCEPT_TOOL = 'proffer_accept';

const ACCEPT_DEFINITION: JsonObject = {
  name: ACCEPT_TOOL,
  title: 'Accept a counter-offer',
  description:
    'Accepts the counter-offer of a reviewer, runs exactly that, and returns its result. Use it when a tool answered with a counter-offer that you agree to.',
  inputSchema: {
    type: 'object',
    properties: {
      proposal: { type: 'string', description: 'The id of the call, from that answer.' },
      counter: { type: 'string', description: 'The id of the counter-offer, from that answer.' },
    },
    required: ['proposal', 'counter'],
    additionalProperties: false,
  },
  annotations: { idempotentHint: true },
};

/** The tool that accepts what a server says about its tools: proposed by the guard, approved like any other. */
export const TRUST_TOOL = 'proffer_trust';

/** The tools that a guard adds to its server's. */
export const OWN_TOOLS: ReadonlySet<string> = new Set([WAIT_TOOL, ACCEPT_TOOL]);

/** Whether only the guard itself may have a tool of this name, or of one that looks like it. */
export function isReserved(name: unknown): boolean {
  return typeof name === 'string' && RESERVED.has(folded(name));
}

const RESERVED: ReadonlySet<string> = new Set([...OWN_TOOLS, TRUST_TOOL]);

/** The tools in a result of `tools/list`. */
export function toolsIn({ tools }: JsonObject): readonly JsonObject[] {
  return objectsIn(tools);
}

/**
 * A result of `tools/list` with the guard's own tools at the end, only on the last page. What the server has under their
 * names is left out: it could answer in place of the guard.
 */
export function withWaitTool(result: JsonObject): JsonObject {
  const { nextCursor } = result;
  const isLast = nextCursor === undefined || nextCursor === null;
  const all = toolsIn(result);
  const tools = all.filter(({ name }) => !isReserved(name));
  if (!isLast && tools.length === all.length) return result;
  const own = isLast ? [DEFINITION, ACCEPT_DEFINITION] : [];
  return { ...result, tools: [...tools, ...own] satisfies readonly JsonValue[] };
}

/** A result of `server/discover` which says that calls may be answered with a task, as a held call may. */
export function withTasks(result: JsonObject): JsonObject {
  const capabilities = objectAt(result, 'capabilities');
  const extensions = objectAt(capabilities, 'extensions');
  if (Object.hasOwn(extensions, TASKS_KEY)) return result;
  return { ...result, capabilities: { ...capabilities, extensions: { ...extensions, [TASKS_KEY]: {} } } };
}
