import type { MultiRoundProjection } from '@proffer/core/negotiation';
import { Marked, plainLine } from '../../text/marked.js';

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
        <div class="matrix" tabIndex={0} role="region" aria-label="Values by round">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Participant</th>
                {Array.from({ length: rounds }, (_, place) => (
                  <th key={place} scope="col">
                    {place + 1}.
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {participants.map((name) => (
                <tr key={name}>
                  <th scope="row">{plainLine(name)}</th>
                  {Array.from({ length: rounds }, (_, place) => (
                    <Value key={place} values={contributions.get(name) ?? []} place={place} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Value({ values, place }: { readonly values: readonly string[]; readonly place: number }) {
  const value = values[place];
  if (value === undefined) return <td class="dim">{values.length === 0 && place === 0 ? 'none yet' : ''}</td>;
  const isLast = place === values.length - 1;
  return (
    <td class={isLast ? undefined : 'dim'}>
      {isLast ? (
        <b>
          <Marked text={value} />
        </b>
      ) : (
        <Marked text={value} />
      )}
    </td>
  );
}
