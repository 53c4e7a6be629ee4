import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MAIN } from './cli.js';

/** The official MCP client in front of a command, over stdio. */
export interface OfficialClient extends AsyncDisposable {
  readonly client: Client;
  /** Kills the command as a power cut would; resolves when it is gone. */
  kill(): Promise<void>;
}

interface HowStarted {
  readonly probes?: boolean;
  readonly env?: Record<string, string>;
  readonly program?: string;
}

/**
 * Starts `proffer` as an MCP client starts its servers. Stopped by `await using`.
 *
 * @param how - `probes`: whether the client first starts it once to detect its protocol version; `env`:
 * variables in addition to those that a client passes to every server; `program`: the file to run
 */
export async function startOfficial(
  args: readonly string[],
  { probes = false, env = {}, program = MAIN }: HowStarted = {},
): Promise<OfficialClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    stderr: 'ignore',
    env,
  });
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: probes ? 'auto' : 'legacy' } },
  );
  const closed = new Promise<void>((resolve) => {
    Object.assign(client, { onclose: resolve });
  });
  await client.connect(transport);
  return {
    client,
    async kill() {
      if (transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
      await closed;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
