/** Writes the messages of a cycle in one protocol dialect. */
export interface Dialect {
  readonly name: 'mcpx' | 'mew/v0.4';
  /** Broadcast, or addressed to one participant. */
  chat(id: string, to?: string): string;
  propose(id: string): string;
  fulfil(id: string, proposal: string): string;
  answer(id: string, request: string): string;
}

/** Pads a message to about 300 bytes. */
const text = (length: number): string =>
  'The quarterly figures, as agreed on Monday. '.repeat(5).slice(0, length);

const ts = '2026-01-01T00:00:00.000Z';
const call = {
  method: 'tools/call',
  params: { name: 'write_file', arguments: { path: '/srv/report.txt', text: text(70) } },
};
const result = { content: [{ type: 'text', text: text(90) }] };

/** The native dialect of Proffer's gateway. */
export const canonical: Dialect = {
  name: 'mcpx',
  chat: (id, to) =>
    write('mcpx/v0.1', id, { ...addressed(to), kind: 'chat.message', payload: { text: text(180) } }),
  propose: (id) => write('mcpx/v0.1', id, { kind: 'mcp.proposal.tools/call:write_file', payload: call }),
  fulfil: (id, correlationId) =>
    write('mcpx/v0.1', id, {
      to: ['tools'],
      kind: 'mcp.request.tools/call:write_file',
      correlationId,
      payload: call,
    }),
  answer: (id, correlationId) =>
    write('mcpx/v0.1', id, {
      to: ['reviewer'],
      kind: 'mcp.response.tools/call',
      correlationId,
      payload: { result },
    }),
};

/** The dialect of the MEW gateway, which Proffer's gateway understands too. */
export const mew: Dialect = {
  name: 'mew/v0.4',
  chat: (id, to) => write('mew/v0.4', id, { ...addressed(to), kind: 'chat', payload: { text: text(180) } }),
  propose: (id) => write('mew/v0.4', id, { kind: 'mcp/proposal', payload: call }),
  fulfil: (id, proposal) =>
    write('mew/v0.4', id, { to: ['tools'], kind: 'mcp/request', correlation_id: [proposal], payload: call }),
  answer: (id, request) =>
    write('mew/v0.4', id, {
      to: ['reviewer'],
      kind: 'mcp/response',
      correlation_id: [request],
      payload: { result },
    }),
};

function write(protocol: string, id: string, fields: object): string {
  return JSON.stringify({ protocol, id, ts, ...fields });
}

function addressed(to: string | undefined): object {
  return to === undefined ? {} : { to: [to] };
}
