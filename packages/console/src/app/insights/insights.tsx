import './insights.css';
import { objectsIn } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { foldUpTo, MAX_RECORDS } from '../history/read-records.js';
import { useRecords } from '../history/use-records.js';
import { readCall, readOneOrMore, readRule } from '../rules/read-rules.js';
import { RuleItem } from '../rules/rule-item.js';
import { useAnswer } from '../session/use-answer.js';
import type { ViewProps } from '../shell/on-demand.js';
import type { Space } from '../space/space.js';
import { gatewayNow } from '../state/clock.js';
import { go, writeRoute } from '../state/route.js';
import { count, duration, span } from '../text/words.js';
import {
  type DecidedBy,
  type DecidedCall,
  decidedCalls,
  OUTCOMES,
  type OutcomeName,
} from './decided-calls.js';
import { OperatorStats } from './operator-stats.js';
import { Plot, type PlotSeries } from './plot.js';
import { Shares } from './shares.js';
import { countDeciders, csvOf, type Day, daysOf, type Times, timesOf } from './summarise.js';

const DAY = 86_400_000;
const PERIODS = [7, 30, 90] as const;

const LOOKS: Readonly<Record<OutcomeName, { readonly label: string; readonly colour: string }>> = {
  approved: { label: 'Approved', colour: '--good' },
  failed: { label: 'Approved, but failed', colour: '--warn' },
  rejected: { label: 'Rejected', colour: '--bad' },
  withdrawn: { label: 'Withdrawn', colour: '--plot-quiet' },
  expired: { label: 'Expired', colour: '--plot-faint' },
};

/** What waits and for how long, what was decided and by whom, and what rules could decide. */
export function Insights({ space }: ViewProps) {
  // The latest are read: what is older says little about today.
  const [from] = useState(() => Math.max(0, space.participant.seq - MAX_RECORDS));
  const { records, state } = useRecords(space, from);
  const [period, setPeriod] = useState<number>(30);
  const proposals = useMemo(() => foldUpTo(records, records.length), [records]);
  const all = useMemo(() => decidedCalls(proposals, records), [proposals, records]);
  const now = gatewayNow();
  const today = new Date(now).toDateString();
  const first = all.reduce((least, { at }) => Math.min(least, at), now);
  const start = Math.max(first, now - (period - 1) * DAY);
  const days = useMemo(() => daysOf(all, proposals, { from: start, now }), [all, proposals, period, today]);
  const begin = days[0]?.start ?? now;
  const calls = useMemo(() => all.filter(({ at }) => at >= begin), [all, begin]);
  const pending = proposals.filter(({ phase }) => phase === 'pending');
  const isEmpty = calls.length === 0 && pending.length === 0;
  return (
    <div class="page insights">
      <header class="page-head">
        <h1>Insights</h1>
        <p class="dim" role="status">
          {state === 'reading'
            ? 'Reading …'
            : !isEmpty && `${count(calls.length, 'decision')} in ${count(days.length, 'day')}`}
        </p>
        <label class="period">
          <span class="sr">Period</span>
          <select value={period} onChange={({ currentTarget }) => setPeriod(Number(currentTarget.value))}>
            {PERIODS.map((length) => (
              <option key={length} value={length}>
                Last {length} days
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="button"
          disabled={calls.length === 0}
          onClick={() => exportCsv(calls, space.name)}
        >
          Export as CSV
        </button>
      </header>
      {typeof state === 'object' && (
        <p class="notice bad" role="alert">
          {state.problem}
        </p>
      )}
      {isEmpty ? (
        <p class="nothing dim">
          {state !== 'reading' && `No call was decided in the last ${period} days, and none is waiting. `}
          {state !== 'reading' &&
            (all.length > 0 ? 'Choose a longer period.' : 'Plots appear here with the first call.')}
        </p>
      ) : (
        <>
          <Tiles pending={pending} now={now} times={timesOf(calls)} deciders={countDeciders(calls)} />
          <Plots days={days} />
          <Shares title="By agent" calls={calls} nameOf={({ agent }) => agent} />
          <Shares title="By tool" calls={calls} nameOf={({ tool }) => tool} />
          <Shares title="By person" calls={calls} nameOf={personOf} />
        </>
      )}
      {space.rights().mayReject({ proposer: '' }) && <SavingRules space={space} />}
      <OperatorStats space={space} />
    </div>
  );
}

function personOf({ decider, by }: DecidedCall): string | undefined {
  return decider === 'person' ? by : undefined;
}

function Plots({ days }: { readonly days: readonly Day[] }) {
  const starts = useMemo(() => days.map(({ start }) => start), [days]);
  const outcomes = useMemo(
    () =>
      OUTCOMES.map((name): PlotSeries => {
        const { label, colour } = LOOKS[name];
        return { label, colour, values: days.map((day) => day.outcomes[name]) };
      }),
    [days],
  );
  const times = useMemo(
    (): readonly PlotSeries[] => [
      { label: 'p50', colour: '--accent', values: days.map(({ p50 }) => p50) },
      { label: 'p90', colour: '--warn', values: days.map(({ p90 }) => p90) },
    ],
    [days],
  );
  const waiting = useMemo(
    (): readonly PlotSeries[] => [
      { label: 'Waiting', colour: '--accent', values: days.map((day) => day.waiting) },
    ],
    [days],
  );
  return (
    <div class="plots">
      <Plot title="Decisions per day" days={starts} series={outcomes} kind="stacked bars" format={String} />
      <Plot title="Time people took to decide" days={starts} series={times} kind="lines" format={span} />
      <Plot
        title="Waiting at the end of each day"
        days={starts}
        series={waiting}
        kind="lines"
        format={String}
      />
    </div>
  );
}

/** Downloads the decisions of the period. */
function exportCsv(calls: readonly DecidedCall[], space: string): void {
  const address = URL.createObjectURL(new Blob([csvOf(calls)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `proffer-${space}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}

interface TilesProps {
  readonly pending: readonly Proposal[];
  readonly now: number;
  readonly times: Times;
  readonly deciders: Readonly<Record<DecidedBy, number>>;
}

/** The most important figures of the period. */
export function Tiles({ pending, now, times: { p50, p90 }, deciders }: TilesProps) {
  const oldest = Math.min(...pending.map(({ proposedAt }) => proposedAt));
  const { person, rule, grant } = deciders;
  const all = person + rule + grant;
  const share = (part: number): string => (all === 0 ? '–' : `${Math.round((100 * part) / all)} %`);
  return (
    <dl class="tiles">
      <Tile name="Waiting now" value={pending.length.toLocaleString()}>
        {pending.length === 0 ? 'nothing' : `the oldest for ${duration(now - oldest)}`}
      </Tile>
      <Tile name="Time to decide" value={p50 === undefined ? '–' : span(p50)}>
        {p90 === undefined ? 'no decisions by people' : `p50 · p90 ${span(p90)}`}
      </Tile>
      <Tile name="Decided by people" value={share(person)}>
        {person.toLocaleString()} of {all.toLocaleString()}
      </Tile>
      <Tile name="Decided by rules" value={share(rule)}>
        {rule.toLocaleString()} of {all.toLocaleString()}
      </Tile>
      <Tile name="Allowed by grants" value={share(grant)}>
        {grant.toLocaleString()} of {all.toLocaleString()}
      </Tile>
    </dl>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly children: ComponentChildren;
}

function Tile({ name, value, children }: TileProps) {
  return (
    <div class="tile box">
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        <span class="dim small">{children}</span>
      </dd>
    </div>
  );
}

/** How many are listed; the rest is in the Rules view. */
const LISTED = 5;

/** The rules that would have answered most questions, according to what people decided. */
export function SavingRules({ space }: { readonly space: Space }) {
  const { answer, problem } = useAnswer(space, `/spaces/${encodeURIComponent(space.name)}/rules/suggestions`);
  const suggestions = objectsIn(answer?.['suggestions']).slice(0, LISTED);
  const to = { space: space.name, view: 'rules' } as const;
  return (
    <section class="box">
      <h2>
        <span>Rules that would save the most questions</span>
        <a
          class="quiet"
          href={writeRoute(to)}
          onClick={(event) => {
            event.preventDefault();
            go(to);
          }}
        >
          Try them in Rules
        </a>
      </h2>
      {answer === undefined && (
        <p class="pad dim">{problem === undefined ? 'Comparing what was decided …' : problem.message}</p>
      )}
      {answer !== undefined && suggestions.length === 0 && (
        <p class="pad dim">
          None yet. A rule is suggested when people have decided the same way three times.
        </p>
      )}
      <ol class="rule-list">
        {suggestions.map((suggestion, place) => {
          const asked = readOneOrMore(suggestion['evidence'], readCall).count;
          const newly = readOneOrMore(suggestion['newlyAutomatic'], readCall).count;
          return (
            <RuleItem
              key={place}
              rule={readRule(suggestion)}
              note={`would have saved ${count(asked + newly, 'question')}`}
            />
          );
        })}
      </ol>
    </section>
  );
}
