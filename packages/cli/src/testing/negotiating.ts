import { devAgent, httpTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';

/** A client at a gateway in dev mode that speaks for all parties, without the command line. */
export async function openSession(
  { url }: { readonly url: string },
  options: { readonly policyVersion?: string; readonly participants?: readonly string[] } = {},
): Promise<ProposalSession> {
  const client = new MacpClient({ transport: httpTransport({ url }), auth: devAgent('buyer') });
  const session = new ProposalSession(client);
  await session.start({
    intent: 'a price',
    participants: ['buyer', 'seller'],
    ttlMs: 600_000,
    ...options,
  });
  return session;
}
