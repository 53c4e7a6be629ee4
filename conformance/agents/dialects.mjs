// The protocols between agents and models, as far as one tool call needs them.

/**
 * @typedef {Record<string, any>} Json
 *
 * An agent's request to a model; the fields depend on the dialect.
 * @typedef {object} Asked
 * @property {boolean} isStreamed
 * @property {string} [model]
 * @property {Json[]} [tools]
 * @property {Json[]} [messages]
 * @property {Json[]} [input]
 * @property {Json[]} [contents]
 *
 * @typedef {{ readonly events: readonly string[] } | { readonly whole: object }} Answer
 *
 * @typedef {object} Dialect
 * @property {RegExp} path - matches the requests in this dialect
 * @property {(asked: Asked) => boolean} hasShell - whether the model may call the shell; agents also ask for
 * titles and the like
 * @property {(asked: Asked) => readonly Json[]} results - what the agent reports about the model's earlier
 * calls
 * @property {(asked: Asked, text: string) => Answer} say
 * @property {(asked: Asked, command: string) => Answer} call
 * @property {(asked: Asked, tool: string, args: Json) => Answer} [callServer] - calls a tool of an MCP server; what the agent
 * puts before its name does not matter
 */

const REASON = 'Leave a trace';
const CALL_ID = 'call_1';

/** @param {object} value */
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;
/** @param {{ type: string } & Json} value */
const event = (value) => `event: ${value.type}\n${data(value)}`;

/**
 * Anthropic's Messages: Claude Code.
 *
 * @type {Dialect}
 */
const messages = {
  path: /\/v1\/messages(?:\?|$)/,
  hasShell: ({ tools = [] }) => tools.some(({ name }) => name === 'Bash'),
  results: ({ messages: all = [] }) =>
    all.flatMap(({ content }) =>
      Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result') : [],
    ),
  say: (asked, text) => inMessages(asked, { type: 'text', text }, { type: 'text_delta', text }),
  call: (asked, command) => {
    const input = { command, description: REASON };
    const block = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input };
    return inMessages(asked, block, { type: 'input_json_delta', partial_json: JSON.stringify(input) });
  },
};

/**
 * @param {Asked} asked
 * @param {Json} block - complete
 * @param {Json} delta - its content
 * @returns {Answer}
 */
function inMessages({ model, isStreamed }, block, delta) {
  const isText = block['type'] === 'text';
  const stop = { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, usage };
  if (!isStreamed) return { whole: { ...message, ...stop, content: [block] } };
  const empty = isText ? { text: '' } : { input: {} };
  return {
    events: [
      event({ type: 'message_start', message: { ...message, content: [], stop_reason: null } }),
      event({ type: 'content_block_start', index: 0, content_block: { ...block, ...empty } }),
      event({ type: 'content_block_delta', index: 0, delta }),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: stop, usage }),
      event({ type: 'message_stop' }),
    ],
  };
}

/**
 * OpenAI's Responses: Codex CLI.
 *
 * @type {Dialect}
 */
const responses = {
  path: /\/v1\/responses(?:\?|$)/,
  hasShell: ({ tools = [] }) => tools.some(({ name }) => name === 'exec_command'),
  results: ({ input = [] }) => input.filter(({ type }) => type === 'function_call_output'),
  say: (_asked, text) => {
    const content = [{ type: 'output_text', text, annotations: [] }];
    return inResponses({ type: 'message', role: 'assistant', id: 'msg_1', content });
  },
  call: (_asked, command) => {
    const given = JSON.stringify({ cmd: command });
    const call = { type: 'function_call', id: 'fc_1', call_id: CALL_ID, name: 'exec_command' };
    return inResponses({ ...call, arguments: given });
  },
};

/**
 * @param {object} item
 * @returns {Answer}
 */
function inResponses(item) {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return {
    events: [
      event({ type: 'response.created', response: { id: 'resp_1' } }),
      event({ type: 'response.output_item.done', output_index: 0, item }),
      event({ type: 'response.completed', response: { id: 'resp_1', output: [item], usage } }),
    ],
  };
}

/**
 * OpenAI's Chat Completions: Copilot CLI and OpenCode.
 *
 * @type {Dialect}
 */
const completions = {
  path: /\/chat\/completions(?:\?|$)/,
  hasShell: ({ tools = [] }) => tools.some((tool) => tool['function']?.name === 'bash'),
  results: ({ messages: all = [] }) => all.filter(({ role }) => role === 'tool'),
  say: (asked, content) => inCompletions(asked, { role: 'assistant', content }, 'stop'),
  call: (asked, command) => callInCompletions(asked, 'bash', { command, description: REASON }),
  callServer: (asked, tool, args) => {
    const names = (asked.tools ?? []).map((one) => one['function']?.name);
    return callInCompletions(asked, names.find((name) => name?.endsWith(tool)) ?? tool, args);
  },
};

/**
 * @param {Asked} asked
 * @param {string} name
 * @param {Json} args
 */
function callInCompletions(asked, name, args) {
  const call = {
    index: 0,
    id: CALL_ID,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
  return inCompletions(asked, { role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls');
}

/**
 * @param {Asked} asked
 * @param {object} message
 * @param {string} finish
 * @returns {Answer}
 */
function inCompletions({ model, isStreamed }, message, finish) {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const about = { id: 'chat_1', created: 1, model, usage };
  if (!isStreamed)
    return {
      whole: { ...about, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }] },
    };
  /** @param {object} delta @param {string | null} finish_reason */
  const chunk = (delta, finish_reason) =>
    data({ ...about, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
  return { events: [chunk(message, null), chunk({}, finish), 'data: [DONE]\n\n'] };
}

/**
 * Gemini's API: Gemini CLI.
 *
 * @type {Dialect}
 */
const gemini = {
  path: /:(?:streamGenerateContent|generateContent)/,
  hasShell: ({ tools = [] }) => JSON.stringify(tools).includes('"run_shell_command"'),
  results: ({ contents = [] }) =>
    contents.flatMap(({ parts }) => parts.filter((/** @type {Json} */ part) => 'functionResponse' in part)),
  say: (asked, text) => inGemini(asked, { text }),
  call: (asked, command) => {
    const args = { command, description: REASON };
    return inGemini(asked, { functionCall: { id: CALL_ID, name: 'run_shell_command', args } });
  },
};

/**
 * @param {Asked} asked
 * @param {object} part
 * @returns {Answer}
 */
function inGemini({ isStreamed }, part) {
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const content = { role: 'model', parts: [part] };
  const whole = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata };
  return isStreamed ? { events: [data(whole)] } : { whole };
}

/** @type {readonly Dialect[]} */
export const DIALECTS = [messages, responses, completions, gemini];
