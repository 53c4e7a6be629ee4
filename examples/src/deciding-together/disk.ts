import { connect, type Participant } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';

/** A gateway in dev mode, and a server that writes files, or says so. */
export interface Disk extends AsyncDisposable {
  /** Somebody comes in, over a real socket. */
  join(name: string): Promise<Participant>;
  /** The paths that were written, in order. */
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
