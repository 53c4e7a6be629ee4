import { type MacpClient, ProposalSession } from '@proffer/client/negotiation';
import {
  isFinal,
  type MacpEnvelope,
  ProposalProjection,
  type SessionMetadata,
} from '@proffer/core/negotiation';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../shell/icon.js';
import { useNow } from '../state/clock.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import { count, listOf } from '../text/words.js';
import { Acceptances } from './acceptances.js';
import { type BoardSession, joinAny, projectionAt } from './board-session.js';
import { Committable } from './committable.js';
import { ModeState } from './modes/mode-state.js';
import { Replies } from './modes/replies.js';
import { Offers } from './offers.js';
import { modeTitle, stateOf } from './session-words.js';
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
 * A session as a board: its state as people think of it in its mode, why it can or cannot be committed, and what was
 * said. Stepping through what was said shows the whole board as it was then.
 */
export function Board({ client, id, metadata: listed, me, onBack }: BoardProps) {
  const [session, setSession] = useState<BoardSession>();
  const [asked, setAsked] = useState<SessionMetadata>();
  const [problem, setProblem] = useState<string>();
  /** After how many messages it is shown; undefined for now. */
  const [place, setPlace] = useState<number>();
  const [, redraw] = useState({});
  const now = useNow();
  useEffect(() => {
    const leaving = new AbortController();
    let joined: BoardSession | undefined;
    async function follow(): Promise<void> {
      const found = await client.getSession(id);
      setAsked(found);
      joined = await joinAny(found.mode, client, id, { signal: leaving.signal });
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
  const shown = projection === undefined ? undefined : projectionAt(projection, place);
  const isPast = place !== undefined;
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
              <span class={`tone-${stateOf(metadata, now).tone}`}>{stateOf(metadata, now).word}</span> ·{' '}
              {modeTitle(metadata.mode)} · begun by <Marked text={metadata.initiator} />{' '}
              <When at={metadata.started_at_unix_ms} /> · between{' '}
              <Marked text={listOf(metadata.participants)} /> · under <code>{metadata.policy_version}</code>
            </p>
          </header>
        )}
        {projection === undefined && problem === undefined && <p class="dim">Loading …</p>}
        {shown !== undefined && metadata !== undefined && session !== undefined && (
          <>
            {isPast && <p class="notice">You see the session as it was after {count(place, 'message')}.</p>}
            <Committable
              session={session}
              projection={shown}
              metadata={metadata}
              me={me}
              isPast={isPast}
              isOpen={metadata.state === 'OPEN' && !isFinal(session.state ?? 'OPEN')}
            />
            {session instanceof ProposalSession && shown instanceof ProposalProjection ? (
              <>
                <Offers session={session} projection={shown} metadata={metadata} me={me} isPast={isPast} />
                <Acceptances projection={shown} participants={metadata.participants} />
              </>
            ) : (
              <>
                <ModeState projection={shown} participants={metadata.participants} />
                {mayReply(metadata, me) && !isPast && <Replies session={session} me={me} />}
              </>
            )}
            <Transcript transcript={session.projection.transcript} place={place} onPlace={setPlace} />
          </>
        )}
      </div>
    </article>
  );
}

function mayReply({ state, participants }: SessionMetadata, me: string): boolean {
  return state === 'OPEN' && participants.includes(me);
}

function intentOf([start]: readonly MacpEnvelope[] = []): string | undefined {
  const intent = start?.payload['intent'];
  return typeof intent === 'string' && intent !== '' ? intent : undefined;
}
