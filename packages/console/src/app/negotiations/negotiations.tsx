import { httpTransport, MacpClient } from '@proffer/client/negotiation';
import type { SessionMetadata } from '@proffer/core/negotiation';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useKeys } from '../keys/layers.js';
import { CommandLine } from '../shell/command.js';
import { Icon } from '../shell/icon.js';
import type { ViewProps } from '../shell/on-demand.js';
import { useNow } from '../state/clock.js';
import { go } from '../state/route.js';
import { plainLine } from '../text/marked.js';
import { count } from '../text/words.js';
import { Board } from './board.js';
import { isFound, modeTitle, stateOf } from './session-words.js';

/** Sessions, open and finished, and the board of the selected one. */
export function Negotiations({ space, item }: ViewProps) {
  const { me, token } = space;
  const client = useMemo(
    () => new MacpClient({ transport: httpTransport({ url: location.origin }), auth: { token, sender: me } }),
    [me, token],
  );
  const [sessions, setSessions] = useState<ReadonlyMap<string, SessionMetadata>>();
  const [problem, setProblem] = useState<string>();
  const [search, setSearch] = useState('');
  const now = useNow();
  useEffect(() => {
    const leaving = new AbortController();
    watch(client, leaving.signal, setSessions).catch((error: unknown) => {
      if (!leaving.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    });
    return () => {
      leaving.abort();
      void client.close();
    };
  }, [client]);

  const all = useMemo(() => [...(sessions?.values() ?? [])].sort(newestFirst), [sessions]);
  const list = all.filter((session) => isFound(session, search, now));
  const step = (by: number): void => {
    const place = list.findIndex(({ session_id }) => session_id === item);
    const next = list[Math.min(Math.max(place + by, 0), list.length - 1)];
    if (next !== undefined) select(next.session_id);
  };
  useKeys({ j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1) });
  const current = item === undefined ? undefined : sessions?.get(item);
  return (
    <div class={item === undefined ? 'panes' : 'panes open'}>
      <section class="list-pane" aria-label="Negotiations">
        <header class="toolbar">
          <h1 class="list-title">Negotiations</h1>
          <p class="dim small">{count(all.length, 'session')} visible to you</p>
          <div class="search">
            <Icon name="search" />
            <input
              type="search"
              placeholder="Subject, participant, mode, state"
              aria-label="Search the negotiations"
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </div>
        </header>
        {problem !== undefined && <p class="empty warn">{problem}</p>}
        {list.length < all.length && (
          <p class="dim small empty" role="status">
            {list.length === 0 ? 'None matches.' : `${list.length} of them match.`}
          </p>
        )}
        {problem === undefined && all.length === 0 && (
          <div class="empty">
            <p>{sessions === undefined ? 'Loading …' : 'There are no negotiations.'}</p>
            <p class="dim small">To try one, in a terminal:</p>
            <CommandLine text='npx proffer negotiate start "a contract" -p buyer -p seller --as buyer' />
          </div>
        )}
        <ul class="sessions">
          {list.map((session) => (
            <li key={session.session_id}>
              <button
                type="button"
                aria-pressed={session.session_id === item}
                class={session.session_id === item ? 'row-item on' : 'row-item'}
                onClick={() => select(session.session_id)}
              >
                <b class="what">{plainLine(session.intent || 'No subject')}</b>
                <span class={`when tone-${stateOf(session, now).tone}`}>{stateOf(session, now).word}</span>
                <span class="about">
                  {modeTitle(session.mode)} · {session.participants.map(plainLine).join(', ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section class="card-pane" aria-label="Session">
        {item === undefined ? (
          <p class="nothing dim">Nothing is selected.</p>
        ) : (
          <Board
            key={item}
            client={client}
            id={item}
            metadata={current}
            me={me}
            onBack={() => select(undefined)}
          />
        )}
      </section>
    </div>
  );
}

const select = (id: string | undefined): void => go({ view: 'negotiations', item: id });

/** The latest past sessions, then open ones as they change, across reconnects. */
async function watch(
  client: MacpClient,
  signal: AbortSignal,
  onChange: (sessions: ReadonlyMap<string, SessionMetadata>) => void,
): Promise<void> {
  const { sessions } = await client.sessionHistory({}, { signal });
  const known = new Map(sessions.map((session) => [session.session_id, session]));
  onChange(known);
  for await (const { session } of client.watchSessions({ signal })) {
    known.set(session.session_id, session);
    onChange(new Map(known));
  }
}

function newestFirst(left: SessionMetadata, right: SessionMetadata): number {
  return right.started_at_unix_ms - left.started_at_unix_ms;
}
