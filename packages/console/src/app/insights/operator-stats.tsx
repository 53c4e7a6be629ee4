import { type JsonObject, objectsIn, textsIn } from '@proffer/core/json';
import type { ComponentChildren } from 'preact';
import { numberIn, partOf, textIn } from '../session/answer-parts.js';
import { useAnswer } from '../session/use-answer.js';
import type { Space } from '../space/space.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import { count } from '../text/words.js';
import { limitInWords, metInWords } from './limit-words.js';

/** How often they are refreshed, in milliseconds. */
const EVERY = 5_000;

const TRANSPORTS: Readonly<Record<string, string>> = {
  ws: 'by WebSocket',
  sse: 'waiting over HTTP',
  grpc: 'by gRPC',
};

/** For operators: the state of the gateway in plain words, refreshed every few seconds. */
export function OperatorStats({ space }: { readonly space: Space }) {
  if (!space.rights().mayPause) return null;
  return <Shown space={space} />;
}

function Shown({ space }: { readonly space: Space }) {
  const { answer, problem } = useAnswer(space, '/figures', { every: EVERY });
  return (
    <section class="box figures" aria-label="The gateway">
      <h2>
        <span>The gateway</span>
        {answer !== undefined && (
          <span class="dim small">
            counting since <When at={numberIn(answer, 'since')} />
          </span>
        )}
      </h2>
      {problem !== undefined && answer === undefined && <p class="pad dim">{problem.message}</p>}
      {problem !== undefined && answer !== undefined && (
        <p class="notice inset bad" role="alert">
          {problem.message} These figures are from the last time it answered.
        </p>
      )}
      {answer === undefined && problem === undefined && <p class="pad dim">Reading …</p>}
      {answer !== undefined && <Entries figures={answer} />}
    </section>
  );
}

function Entries({ figures }: { readonly figures: JsonObject }) {
  const limits = objectsIn(figures['limits']);
  const met = limits.filter((limit) => numberIn(limit, 'met') > 0);
  return (
    <dl class="entries">
      <Entry name="Connections">{connectionsInWords(partOf(figures, 'connections'))}</Entry>
      <Entry name="Messages">{messagesInWords(figures)}</Entry>
      <Entry name="Journal">
        <Journal journal={partOf(figures, 'journal')} />
      </Entry>
      {figures['log'] !== undefined && (
        <Entry name="Signed log">
          <SignedLog log={partOf(figures, 'log')} />
        </Entry>
      )}
      <Entry name="Limits reached">
        {met.length === 0 ? (
          <span class="dim">none of {limits.length}</span>
        ) : (
          <ul class="figure-list">
            {met.map((limit) => (
              <li key={textIn(limit, 'code')}>
                <b>{metInWords(limit)}</b>
                <br />
                <span class="dim small">{objectsIn(limit['limits']).map(limitInWords).join(' · ')}</span>
              </li>
            ))}
          </ul>
        )}
      </Entry>
      <Entry name="Refusals">
        <Refusals refusals={objectsIn(figures['refusals'])} />
      </Entry>
    </dl>
  );
}

function Entry({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="entry">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function connectionsInWords(connections: JsonObject): string {
  const open = Object.entries(partOf(connections, 'open')).filter(([, number]) => Number(number) > 0);
  const now = open.map(([transport, number]) => `${Number(number)} ${TRANSPORTS[transport] ?? transport}`);
  const dropped = numberIn(connections, 'dropped');
  const behind = numberIn(connections, 'fellBehind');
  return [
    now.length === 0 ? 'none is open' : now.join(', '),
    ...(dropped > 0 ? [`${count(dropped, 'was', 'were')} refused for lack of open files`] : []),
    ...(behind > 0 ? [`${count(behind, 'was', 'were')} closed for reading too slowly`] : []),
  ].join('; ');
}

function messagesInWords(figures: JsonObject): string {
  const messages = partOf(figures, 'messages');
  const amount = (key: string): string => numberIn(messages, key).toLocaleString();
  const { half, most } = partOf(figures, 'acknowledged');
  return [
    `${amount('accepted')} accepted`,
    `${amount('refused')} refused`,
    ...(numberIn(messages, 'duplicate') > 0 ? [`${amount('duplicate')} sent again`] : []),
    ...(numberIn(messages, 'late') > 0 ? [`${amount('late')} too late`] : []),
    ...(typeof half === 'number' && typeof most === 'number' ? [`p50 ${half} ms · p99 ${most} ms`] : []),
  ].join('; ');
}

const BACKENDS: Readonly<Record<string, string>> = {
  local: 'in a folder on this machine',
  memory: 'in memory only, and gone when the gateway stops',
  nats: 'on NATS',
};

function Journal({ journal }: { readonly journal: JsonObject }) {
  const backend = textIn(journal, 'backend');
  const usedUp = numberIn(journal, 'descriptorsUsedUp');
  const peers = numberIn(journal, 'peers');
  const failures = Object.entries(partOf(journal, 'failures'));
  return (
    <>
      {journal['writable'] === true ? (
        <span class="tone-good">can be written</span>
      ) : (
        <b class="tone-bad">
          cannot be written: <Marked text={textIn(journal, 'reason') || 'the gateway is not ready'} />
        </b>
      )}
      {`; ${BACKENDS[backend] ?? backend}; ${count(numberIn(journal, 'records'), 'record')} written`}
      {peers > 0 && `; shared with ${count(peers, 'other gateway')}`}
      {usedUp > 0 && `; ${count(usedUp, 'time')} with no file descriptor left`}
      {failures.length > 0 && (
        <ul class="figure-list">
          {failures.map(([cause, number]) => (
            <li key={cause} class="tone-bad">
              {count(Number(number), 'write')} failed: <Marked text={cause} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** How much is signed, and how old the last signature of somebody else is. */
function SignedLog({ log }: { readonly log: JsonObject }) {
  const witnesses = textsIn(log['witnesses']);
  const witnessed = partOf(log, 'witnessed');
  const signed = numberIn(log, 'signed');
  const behind = signed - numberIn(witnessed, 'size');
  if (witnesses.length === 0) return <>{count(signed, 'record')} signed; no witness is configured</>;
  if (log['witnessed'] === undefined)
    return (
      <>
        {count(signed, 'record')} signed; <b class="tone-bad">no witness is known to have signed</b>
      </>
    );
  return (
    <>
      {count(signed, 'record')} signed; a witness last signed <When at={numberIn(witnessed, 'at')} />
      {behind > 0 && `, ${count(behind, 'record')} since then`}
    </>
  );
}

function Refusals({ refusals }: { readonly refusals: readonly JsonObject[] }) {
  if (refusals.length === 0) return <span class="dim">none</span>;
  return (
    <ul class="figure-list">
      {refusals.map((refusal) => (
        <li key={textIn(refusal, 'code')}>
          <b>{numberIn(refusal, 'count').toLocaleString()} ×</b> <code>{textIn(refusal, 'code')}</code>
          <br />
          <span class="dim small">{textIn(refusal, 'advice')}</span>
        </li>
      ))}
    </ul>
  );
}
