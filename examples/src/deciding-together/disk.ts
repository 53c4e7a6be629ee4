import { connect, type Participant } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';

/** A gateway in dev mode, and a server that pretends to write files. */
export interface Disk extends AsyncDisposable {
  /** Joins as a participant over a real socket. */
  join(name: string): Promise<Participant>;
  /** The written paths, in order. */
  readonly written: readonly string[];
}

export async function openDisk(): Promise<Disk> {
  const { gateway, url } = await startOnLoopback();
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
        if (typeof path !== 'string') throw new TypeError('path must be a string');
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
