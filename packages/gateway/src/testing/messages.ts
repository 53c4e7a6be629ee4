/** A tool call, as a payload. */
export const call = (name = 'write_file', args: Readonly<Record<string, string>> = { path: '/a' }) =>
  ({ method: 'tools/call', params: { name, arguments: args } }) as const;

export const proposal = (id: string, more: object = {}) => ({
  id,
  kind: 'mcp.proposal.tools/call',
  payload: { ...call(), ...more },
});

/** A fulfilment by `tools`, by default. */
export const fulfilment = (id: string, proposal: string, to: readonly string[] = ['tools']) => ({
  id,
  kind: 'mcp.request.tools/call',
  to,
  correlationId: proposal,
  payload: call(),
});

export const answer = (id: string, request: string) => ({
  id,
  kind: 'mcp.response.tools/call',
  correlationId: request,
  payload: { result: { content: [] } },
});

export const withdrawal = (id: string, proposal: string) => ({
  id,
  kind: 'mcpx.withdraw.proposal',
  correlationId: proposal,
  payload: {},
});

export const rejection = (id: string, proposal: string) => ({
  id,
  kind: 'mcpx.reject.proposal',
  correlationId: proposal,
  payload: { reason: 'busy' },
});

export const chat = (id: string, text = 'hello') => ({ id, kind: 'chat.message', payload: { text } });
