import { connect, type Participant } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';

const CONFIG = `
dev: true
participants:
  steward: { spaces: { main: ['mcp.request.*', 'mcpx.reject.proposal', 'mcpx.status.proposal'] } }
`;

/** A gateway in this process, and a server that pretends to write files. */
export interface Archive extends AsyncDisposable {
  /** Joins as a participant over a real socket. */
  join(name: string): Promise<Participant>;
  /** The written paths, in order. */
  readonly written: readonly string[];
}

export async function openArchive(): Promise<Archive> {
  const { gateway, url } = await startOnLoopback(CONFIG);
  const people: Participant[] = [];
  const join = async (token: string): Promise<Participant> => {
    const participant = await connect({ url, token, space: 'main' });
    people.push(participant);
    return participant;
  };
  const written: string[] = [];
  const tools = await join('tools');
  await tools.serve([
    {
      name: 'write_file',
      handler: ({ path }) => {
        if (typeof path !== 'string') return 'nothing to write';
        written.push(path);
        return `wrote ${path}`;
      },
    },
  ]);
  return {
    join,
    written,
    async [Symbol.asyncDispose]() {
      await Promise.all(people.map((participant) => participant.close()));
      await gateway.close();
    },
  };
}

/** The params of the call used throughout. */
export const writing = (path: string) => ({ name: 'write_file', arguments: { path } });
