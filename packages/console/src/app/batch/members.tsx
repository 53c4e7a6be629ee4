import type { CallParts } from '@proffer/core/approvals';
import type { JsonValue } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { describeState } from '@proffer/core/words';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { decisions, type SentDecision } from '../decide/decisions.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { go, writeRoute } from '../state/route.js';
import { useStore } from '../state/store.js';
import { HIDDEN } from '../text/hiding.js';
import { Marked, plainLine } from '../text/marked.js';
import { ValueView } from '../value/value-view.js';
import { columnsOf, orderedPlaces, type RowOrder, sumOf } from './columns.js';
import { Values } from './values.js';

const NOTHING: CallParts = { given: {}, others: {} };

interface MembersProps {
  readonly space: Space;
  readonly calls: readonly Proposal[];
  /** What is different about each of them. */
  readonly different: readonly CallParts[];
  readonly leftOut: ReadonlySet<string>;
  /** Which of them would be decided now. */
  readonly chosen: ReadonlySet<string>;
  readonly order: RowOrder | undefined;
  readonly onOrder: (order: RowOrder) => void;
  readonly onLeaveOut: (ids: ReadonlySet<string>) => void;
}

/**
 * The calls as a table: what is different about each of them, in full, and why it is asked for. Each can be left out or
 * opened separately. Numbers are added up for those that would be decided.
 */
export function Members({
  space,
  calls,
  different,
  leftOut,
  chosen,
  order,
  onOrder,
  onLeaveOut,
}: MembersProps) {
  const made = useStore(decisions);
  const isMixed = new Set(calls.map(fromOf)).size > 1;
  // Agents may have the same tool under different names; which one it is in each case decides.
  const areNamed = new Set(calls.map(nameOf)).size > 1;
  // As shown: what is hidden is neither compared nor added up.
  const shown = useMemo(() => different.map((parts) => HIDDEN.value({ ...parts })), [different]);
  const columns = useMemo(() => columnsOf(shown), [shown]);
  const reasons = calls.map(({ id }) => space.proposals.reason(id) ?? '');
  const hasReasons = reasons.some((reason) => reason !== '');
  const included = shown.filter((_, place) => chosen.has(calls[place]?.id ?? ''));
  const areNumbers = new Set(columns.filter((column) => sumOf(shown, column) !== undefined));
  const sums = columns.map((column) => sumOf(included, column));
  const before = Number(isMixed) + Number(areNamed);
  return (
    <section class="box">
      <h2>How they differ</h2>
      <table class="batch">
        <thead>
          <tr>
            <th class="pick-one" scope="col">
              <IncludeAll calls={calls} leftOut={leftOut} onLeaveOut={onLeaveOut} />
            </th>
            {isMixed && <th scope="col">Asked by</th>}
            {areNamed && <th scope="col">Tool</th>}
            {columns.length === 0 && <th scope="col">What is different</th>}
            {columns.map((column) => (
              <ColumnHead
                key={column}
                column={column}
                isNumber={areNumbers.has(column)}
                order={order}
                onOrder={onOrder}
              />
            ))}
            {hasReasons && <th scope="col">Reason</th>}
            <th class="side" scope="col">
              <span class="sr">State</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {orderedPlaces(shown, order).map((place) => {
            const call = calls[place];
            if (call === undefined) return null;
            const { id } = call;
            const now = space.proposals.get(id) ?? call;
            const to = { space: space.name, view: 'inbox', item: id } as const;
            return (
              <tr key={id}>
                <td class="pick-one">
                  <label>
                    <input
                      type="checkbox"
                      checked={!leftOut.has(id)}
                      disabled={now.phase !== 'pending'}
                      onChange={() => onLeaveOut(toggled(leftOut, id))}
                    />
                    <span class="sr">Include call {place + 1}</span>
                  </label>
                </td>
                {isMixed && (
                  <td data-name="Asked by">
                    <Marked text={fromOf(call)} />
                  </td>
                )}
                {areNamed && (
                  <td data-name="Tool">
                    <code>
                      <Marked text={nameOf(call)} />
                    </code>
                  </td>
                )}
                {columns.length === 0 && (
                  <td class="whole">
                    <Values of={different[place] ?? NOTHING} none="exactly the same" />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column} class={numberClass(areNumbers.has(column))} data-name={plainLine(column)}>
                    <Cell name={column} value={shown[place]?.given[column]} />
                  </td>
                ))}
                {hasReasons && (
                  <td class="why" data-name="Reason">
                    <Marked text={reasons[place] ?? ''} />
                  </td>
                )}
                <td class="side">
                  <State now={now} decision={made.get(id)} />{' '}
                  <a
                    href={writeRoute(to)}
                    onClick={(event) => {
                      event.preventDefault();
                      go(to);
                    }}
                  >
                    Open<span class="sr"> call {place + 1}</span>
                  </a>
                </td>
              </tr>
            );
          })}
        </tbody>
        {sums.some((sum) => sum !== undefined) && (
          <tfoot>
            <tr>
              <th class="pick-one" scope="row">
                Sum
              </th>
              {before > 0 && <td colSpan={before} />}
              {columns.map((column, place) => (
                <td
                  key={column}
                  class={numberClass(areNumbers.has(column))}
                  data-name={sums[place] === undefined ? undefined : plainLine(column)}
                >
                  {sums[place]}
                </td>
              ))}
              <td colSpan={hasReasons ? 2 : 1} />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

function numberClass(isNumber: boolean): string | undefined {
  return isNumber ? 'number' : undefined;
}

function Cell({ name, value }: { readonly name: string; readonly value: JsonValue | undefined }) {
  return value === undefined ? <span class="dim">not set</span> : <ValueView name={name} value={value} />;
}

interface ColumnHeadProps extends Pick<MembersProps, 'order' | 'onOrder'> {
  readonly column: string;
  readonly isNumber: boolean;
}

/** The name of a column, which sorts by it. */
function ColumnHead({ column, isNumber, order, onOrder }: ColumnHeadProps) {
  const isOn = order?.column === column;
  const isDown = isOn && order.isDown;
  return (
    <th
      class={numberClass(isNumber)}
      scope="col"
      aria-sort={isOn ? (isDown ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" class="quiet" onClick={() => onOrder({ column, isDown: isOn && !isDown })}>
        <Marked text={column} /> <span aria-hidden="true">{isOn ? (isDown ? '↓' : '↑') : '↕'}</span>
      </button>
    </th>
  );
}

/** Includes all calls, or none. */
function IncludeAll({ calls, leftOut, onLeaveOut }: Pick<MembersProps, 'calls' | 'leftOut' | 'onLeaveOut'>) {
  const box = useRef<HTMLInputElement>(null);
  const isAll = leftOut.size === 0;
  useLayoutEffect(() => {
    if (box.current !== null) box.current.indeterminate = !isAll && leftOut.size < calls.length;
  });
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        checked={isAll}
        onChange={() => onLeaveOut(new Set(isAll ? calls.map(({ id }) => id) : []))}
      />
      <span class="sr">Include all calls</span>
    </label>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The proposer of the call and its session, if known. */
function fromOf({ proposer, origin }: Proposal): string {
  const { session } = origin ?? {};
  return session === undefined ? proposer : `${proposer} · session ${session}`;
}

function State({ now, decision }: { readonly now: Proposal; readonly decision: SentDecision | undefined }) {
  if (now.phase !== 'pending') {
    const { word, tone } = describeState(now);
    return <span class={`tone-${tone}`}>{word}</span>;
  }
  if (decision?.state === 'refused') return <span class="tone-bad">{decision.problem}</span>;
  if (decision === undefined) return null;
  return <span class="dim">{decision.state === 'sent' ? 'sent …' : 'recorded'}</span>;
}
