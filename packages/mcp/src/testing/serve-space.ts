import { type Gateway, startOnLoopback } from '@proffer/gateway';

export interface ServeSpaceOptions {
  /** The folder of the journal. */
  readonly journal: string;
  readonly port: number;
  readonly yaml?: string;
}

/** Runs a gateway in this process, in dev mode unless told otherwise. */
export async function serveSpace({ journal, port, yaml }: ServeSpaceOptions): Promise<Gateway> {
  const { gateway } = await startOnLoopback(yaml, { folder: journal, port });
  return gateway;
}
