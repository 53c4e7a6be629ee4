import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import type { Ended } from './cli.js';
import { runHere, type Typist } from './in-process.js';

/** Two of `ann`, `bob` and the finance role approve an `echo`; `boss` is asked after ten minutes. */
export const TWO_APPROVALS = `
dev: true
capabilities: { all: ['*'] }
participants:
  ann: { spaces: { main: all } }
  bob: { spaces: { main: all } }
  boss: { spaces: { main: all } }
  cleo: { spaces: { main: all }, roles: [finance] }
spaces:
  main:
    review:
      - name: echoes
        call: mcp.request.tools/call:echo
        approvals: 2
        from: [ann, bob, role:finance]
        veto: true
        escalate: [{ after: 10m, to: [boss] }]
`;

/** A gateway in this process with a review policy, where `tools` serves `echo`. */
export interface PolicyGateway extends AsyncDisposable {
  /** Runs a command as a participant. */
  as(name: string, ...line: readonly string[]): Promise<Ended>;
  /** The same at a terminal, with an answer to the command's question. */
  type(name: string, line: readonly string[], types: Typist['types']): Promise<Ended>;
  /** Proposes to echo the id. */
  propose(id: string, ...more: readonly string[]): Promise<Ended>;
  /** Advances the gateway's clock, in milliseconds. */
  pass(milliseconds: number): void;
  /** What was echoed. */
  readonly echoed: readonly unknown[];
}

export async function startPolicyGateway(yaml = TWO_APPROVALS): Promise<PolicyGateway> {
  let ahead = 0;
  const { gateway, port } = await startOnLoopback(yaml, { clock: () => Date.now() + ahead });
  const url = `http://127.0.0.1:${port}`;
  const tools = await connect({ url, space: 'main', token: 'tools' });
  const echoed: unknown[] = [];
  await tools.serve([
    {
      name: 'echo',
      handler: ({ text }) => {
        echoed.push(text);
        return text;
      },
    },
  ]);
  const as = (name: string, ...line: readonly string[]) =>
    runHere([...line, '--as', name], { PROFFER_URL: url });
  return {
    as,
    type: (name, line, types) => runHere([...line, '--as', name], { PROFFER_URL: url }, { types }),
    propose: (id, ...more) =>
      as('agent', 'propose', 'echo', '--arg', `text=${id}`, '--id', id, '--no-wait', ...more),
    pass(milliseconds) {
      ahead += milliseconds;
    },
    echoed,
    async [Symbol.asyncDispose]() {
      await tools.close();
      await gateway.close();
    },
  };
}
