import { connect } from '@proffer/client';
import {
  attachCall,
  devAgent,
  grpcTransport,
  MacpClient,
  MacpError,
  ProposalSession,
  scopeOf,
} from '@proffer/client/negotiation';
import { startOnLoopback } from '@proffer/gateway';
import { createNarrator } from '../negotiation/table.js';
import { expectThat, type LiveStory, line } from '../story.js';

const CONFIG = `
dev: true
spaces:
  main:
    review:
      - name: payments
        call: mcp.request.tools/call:pay
        approvals: 2
        from: [finance, ops]
        by: { modes: [macp.mode.proposal.v1] }
participants:
  sales: { spaces: { main: [mcp.proposal.*] } }
  finance: { spaces: { main: ["mcp.request.tools/call:pay"] }, review_only: true }
  ops: { spaces: { main: ["mcp.request.tools/call:pay"] }, review_only: true }
`;

const callFor = (amount: number) => ({
  space: 'main',
  method: 'tools/call',
  params: { name: 'pay', arguments: { to: 'fair', amount } },
});

/** A record in an evidence file. */
interface Shown {
  readonly stream: string;
  readonly type: string;
  readonly principal: string;
  readonly envelope: { readonly message_type?: string };
}

/** Three agents negotiate a budget, and the commitment pays it, once. */
export const agreedPayment: LiveStory = {
  title: 'The commitment pays',
  about:
    'Three agents agree on a budget that carries a call; it runs once, and the evidence shows the whole chain.',
  async tell(print) {
    await using gateway = await startOnLoopback(CONFIG);
    const narrate = createNarrator(print);
    const paid: unknown[] = [];
    await using till = await connect({ url: gateway.url, token: 'tools', space: 'main' });
    await till.serve([{ name: 'pay', handler: ({ amount }) => `paid ${paid.push(amount)}` }]);
    await using clerk = await connect({ url: gateway.url, token: 'finance', space: 'main' });
    const feed = clerk.feed();
    const join = (name: string): MacpClient =>
      new MacpClient({ transport: grpcTransport({ target: gateway.target }), auth: devAgent(name) });
    const clients = { sales: join('sales'), finance: join('finance'), ops: join('ops') };

    await using sales = new ProposalSession(clients.sales);
    await sales.start({ intent: 'a stand at the fair', participants: Object.keys(clients), ttlMs: 60_000 });
    await using finance = await ProposalSession.join(clients.finance, sales.sessionId);
    await using ops = await ProposalSession.join(clients.ops, sales.sessionId);
    await sales.propose('b1', 'The large stand', { summary: '9000', details: attachCall(callFor(9000)) });
    await finance.counterPropose('b2', 'b1', 'The small one', {
      summary: '4000',
      details: attachCall(callFor(4000)),
    });
    await Promise.all([finance.accept('b2'), ops.accept('b2')]);
    await sales.refresh();
    expectThat(paid.length === 0, 'accepting pays nothing');

    const outcome = { action: 'budget.agreed', reason: 'the small one' };
    await sales.accept('b2');
    await sales.commit({ ...outcome, authorityScope: scopeOf(callFor(4000)) });
    narrate(sales);
    const payment = await next('mcp.proposal.');
    await next('mcp.response.');
    print(line('tools', 'pays', `→ ${paid.join()}, as finance and ops accepted`));

    const again = await sales
      .commit({ ...outcome, authorityScope: scopeOf(callFor(9000)) })
      .catch((error: unknown) => error);
    expectThat(again instanceof MacpError && again.code === 'SESSION_NOT_OPEN', 'a session has one outcome');
    print(line('sales', 'commits again', `✗ ${again.code}`));

    await using other = new ProposalSession(clients.sales);
    await other.start({ intent: 'once more', participants: ['sales'], ttlMs: 60_000 });
    await other.propose('b2', 'The same', { summary: '4000', details: attachCall(callFor(4000)) });
    await other.accept('b2');
    await other.commit({ ...outcome, authorityScope: scopeOf(callFor(4000)) });
    const { id: alone } = await next('mcp.proposal.');
    const { proposal } = await read(`/proposals/${alone}`);
    expectThat(proposal?.phase === 'pending', 'sales alone can only propose it');
    print(line('sales', 'agrees alone', '→ a proposal that nobody has approved'));

    const { payload = '' } = await read(`/proposals/${payment.id}/evidence`);
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
      readonly predicate: { readonly records: readonly { readonly record: Shown }[] };
    };
    const chain = statement.predicate.records
      .map(({ record }) => record)
      .map(({ type, principal, envelope }) => [principal, envelope.message_type ?? type] as const);
    for (const [who, what] of chain) print(line('evidence', who, what));
    const steps = chain.map(([, what]) => what).join(' ');
    expectThat(
      /SessionStart .*CounterProposal .*Commitment proposed agreed approved approved fulfilled/.test(steps),
      'the file has the whole chain',
    );
    expectThat(paid.join() === '4000', 'it was paid once');
    await Promise.all(Object.values(clients).map((client) => client.close()));

    async function next(kind: string): Promise<{ readonly id: string }> {
      for (;;) {
        const { value, done } = await feed.next();
        if (done === true) throw new Error('The feed has ended.');
        if (value.kind.startsWith(kind)) return value;
      }
    }

    async function read(path: string): Promise<{ proposal?: { phase: string }; payload?: string }> {
      const url = `http://127.0.0.1:${gateway.port}/spaces/main${path}`;
      const response = await fetch(url, { headers: { authorization: 'Bearer finance' } });
      return (await response.json()) as Awaited<ReturnType<typeof read>>;
    }
  },
};
