import type { Proposal } from '@proffer/core/operations';
import type { ComponentChildren } from 'preact';
import { duration, span } from '../text/words.js';
import type { DecidedBy } from './decided-calls.js';
import type { Times } from './summarise.js';

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
        {p90 === undefined ? 'people decided nothing' : `p50 · p90 ${span(p90)}`}
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
