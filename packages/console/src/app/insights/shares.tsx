import { useMemo } from 'preact/hooks';
import { Marked } from '../text/marked.js';
import { count, span } from '../text/words.js';
import type { DecidedCall } from './decided-calls.js';
import { sharesBy } from './summarise.js';

/** How many are listed. */
const LISTED = 20;

interface SharesProps {
  readonly title: string;
  readonly calls: readonly DecidedCall[];
  readonly nameOf: (call: DecidedCall) => string | undefined;
}

/** Decisions by agent, tool or person. */
export function Shares({ title, calls, nameOf }: SharesProps) {
  const shares = useMemo(() => sharesBy(calls, nameOf), [calls]);
  if (shares.length === 0) return null;
  return (
    <section class="box shares">
      <h2>{title}</h2>
      <section class="plot-table" tabIndex={0} aria-label={`${title}, table`}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Decisions
              </th>
              <th scope="col" class="number">
                Approved
              </th>
              <th scope="col" class="number">
                By rules
              </th>
              <th scope="col" class="number">
                By grants
              </th>
              <th scope="col" class="number">
                p50
              </th>
              <th scope="col" class="number">
                p90
              </th>
            </tr>
          </thead>
          <tbody>
            {shares.slice(0, LISTED).map(({ name, calls: size, approved, deciders, p50, p90 }) => (
              <tr key={name}>
                <th scope="row">
                  <Marked text={name} />
                </th>
                <td class="number">{size.toLocaleString()}</td>
                <td class="number">{percent(approved, size)}</td>
                <td class="number">{percent(deciders.rule, size)}</td>
                <td class="number">{percent(deciders.grant, size)}</td>
                <td class="number">{p50 === undefined ? '–' : span(p50)}</td>
                <td class="number">{p90 === undefined ? '–' : span(p90)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shares.length > LISTED && (
        <p class="pad dim small">{count(shares.length - LISTED, 'more is', 'more are')} in the CSV file.</p>
      )}
    </section>
  );
}

function percent(part: number, all: number): string {
  return `${Math.round((100 * part) / all)} %`;
}
