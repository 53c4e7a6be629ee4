import { type MacpClient, MacpSession, ProposalSession } from '@proffer/client/negotiation';
import { isFinal, type MacpEnvelope, PROPOSAL_MODE, type SessionMetadata } from '@proffer/core/negotiation';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../shell/icon.js';
import { useNow } from '../state/clock.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import { listOf } from '../text/words.js';
import { Acceptances } from './acceptances.js';
import { Committable } from './committable.js';
import { Offers } from './offers.js';
import { stateOf } from './session-words.js';
import { Transcript } from './transcript.js';

interface BoardProps {
  readonly client: MacpClient;
  readonly id: string;
  /** The list's information about it; fetched if absent. */
  readonly metadata: SessionMetadata | undefined;
  readonly me: string;
  readonly onBack: () => void;
}

/**
 * A session as a board: the offers as a tree, who accepted what, and why it can or cannot be committed. In another mode
 * than Proposal Mode there are no offers, but everything else.
 */
export function Board({ client, id, metadata: listed, me, onBack }: BoardProps) {
  const [session, setSession] = useState<ProposalSession | MacpSession>();
  const [asked, setAsked] = useState<SessionMetadata>();
  const [problem, setProblem] = useState<string>();
  const [, redraw] = useState({});
  const now = useNow();
  useEffect(() => {
    const leaving = new AbortController();
    let joined: ProposalSession | MacpSession | undefined;
    async function follow(): Promise<void> {
      const found = await client.getSession(id);
      setAsked(found);
      const options = { signal: leaving.signal };
      joined = await joinIn(found.mode, client, id, options);
      if (leaving.signal.aborted) return joined.close();
      setSession(joined);
      for await (const _ of joined) redraw({});
      redraw({});
    }
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    });
    return () => {
      leaving.abort();
      void joined?.close();
    };
  }, [client, id]);

  const metadata = listed ?? asked;
  const projection = session?.projection;
  return (
    <article class="card" tabIndex={0} aria-labelledby="board-title">
      <div class="card-body">
        <button type="button" class="back" onClick={onBack}>
          <Icon name="back" /> Back
        </button>
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        {metadata !== undefined && (
          <header class="heading">
            <h1 id="board-title">
              <Marked text={intentOf(projection?.transcript) ?? listOf(metadata.participants)} />
            </h1>
            <p class="by">
              <span class={`tone-${stateOf(metadata, now).tone}`}>{stateOf(metadata, now).word}</span> · begun
              by <Marked text={metadata.initiator} /> <When at={metadata.started_at_unix_ms} /> · between{' '}
              <Marked text={listOf(metadata.participants)} /> · under <code>{metadata.policy_version}</code>
            </p>
          </header>
        )}
        {projection === undefined && problem === undefined && <p class="dim">Loading …</p>}
        {projection !== undefined && metadata !== undefined && session !== undefined && (
          <>
            <Committable
              session={session}
              metadata={metadata}
              me={me}
              isOpen={metadata.state === 'OPEN' && !isFinal(session.state ?? 'OPEN')}
            />
            {session instanceof ProposalSession && (
              <>
                <Offers session={session} metadata={metadata} me={me} />
                <Acceptances projection={session.projection} participants={metadata.participants} />
              </>
            )}
            <Transcript projection={projection} />
          </>
        )}
      </div>
    </article>
  );
}

/** Joins a session with what is known about its mode. */
async function joinIn(
  mode: string,
  client: MacpClient,
  id: string,
  options: { readonly signal: AbortSignal },
): Promise<ProposalSession | MacpSession> {
  if (mode === PROPOSAL_MODE) return await ProposalSession.join(client, id, options);
  const session: MacpSession = await MacpSession.join(client, id, options);
  return session;
}

function intentOf([start]: readonly MacpEnvelope[] = []): string | undefined {
  const intent = start?.payload['intent'];
  return typeof intent === 'string' && intent !== '' ? intent : undefined;
}
