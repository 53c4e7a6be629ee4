import { type MacpClient, MacpSession } from '@proffer/client/negotiation';
import type { SessionMessage } from '@proffer/core/negotiation';
import { readBasis, recordOf } from './session-records.js';
import type { SessionView } from './session-view.js';
import { createStory } from './story.js';

/**
 * The current state of a session: what the gateway reports, the fold of its messages, and whether it can be
 * committed.
 *
 * @param committer - who would commit. Default: the initiator
 */
export async function readSession(
  client: MacpClient,
  sessionId: string,
  { now, committer }: { readonly now: number; readonly committer?: string },
): Promise<SessionView> {
  const basis = await readBasis(client, sessionId);
  await using session = await MacpSession.join(client, sessionId, { rules: basis.rules });
  const metadata = await client.getSession(sessionId);
  const { transcript } = session.projection;
  const story = createStory({ mode: metadata.mode, ...basis });
  for (const envelope of transcript) story.add(recordOf(envelope, basis));
  const [start] = transcript;
  return {
    metadata,
    start: start as SessionMessage<'SessionStart'> | undefined,
    projection: story.projection,
    // The gateway knows state and time better than the messages do.
    eligibility: story.explain(now, {
      committer,
      known: { status: metadata.state, deadline: metadata.expires_at_unix_ms },
    }),
  };
}
