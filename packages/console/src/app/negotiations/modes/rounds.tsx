import type { MultiRoundProjection } from '@proffer/core/negotiation';
import { Marked, plainLine } from '../../text/marked.js';
import { Matrix } from '../matrix.js';

interface RoundsProps {
  readonly projection: MultiRoundProjection;
  readonly participants: readonly string[];
}

/** The values of every participant, round by round; the last one counts. */
export function Rounds({ projection, participants }: RoundsProps) {
  const { contributions } = projection;
  const rounds = Math.max(1, ...[...contributions.values()].map(({ length }) => length));
  const converged = projection.convergedValue();
  return (
    <section class="box">
      <h2>
        <span class={converged === undefined ? undefined : 'tone-good'}>
          {converged === undefined ? 'Values' : 'All have the same value'}
        </span>
      </h2>
      {contributions.size === 0 && <p class="pad dim">Nobody has contributed a value yet.</p>}
      {contributions.size > 0 && (
        <Matrix
          label="Values by round"
          corner="Participant"
          columns={Array.from({ length: rounds }, (_, place) => `${place + 1}.`)}
          rows={participants}
          rowKey={(name) => name}
          head={plainLine}
          cell={(name, _, place) => <Value values={contributions.get(name) ?? []} place={place} />}
        />
      )}
    </section>
  );
}

function Value({ values, place }: { readonly values: readonly string[]; readonly place: number }) {
  const value = values[place];
  if (value === undefined)
    return <span class="dim">{values.length === 0 && place === 0 ? 'none yet' : ''}</span>;
  if (place === values.length - 1)
    return (
      <b>
        <Marked text={value} />
      </b>
    );
  return (
    <span class="dim">
      <Marked text={value} />
    </span>
  );
}
