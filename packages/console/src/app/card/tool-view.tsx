import type { Proposal } from '@proffer/core/operations';
import { describeNewExecutor, PLAIN } from '@proffer/core/words';
import { nameOf, type Served, textAt } from '../space/tools.js';
import { HidingContext, NOTHING_HIDDEN } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { LongText } from '../value/long-text.js';

interface ToolViewProps {
  readonly proposal: Proposal;
  readonly servers: readonly Served[];
  readonly served: Served | undefined;
  /** Who served it before, if its executor would run it for the first time. */
  readonly insteadOf?: string | undefined;
  /** Whether an approval waits until the executor is chosen. */
  readonly mustChoose: boolean;
  readonly onChoose: (by: string) => void;
}

/** The tool as its server describes it, and its executor. */
export function ToolView({ proposal, servers, served, insteadOf, mustChoose, onChoose }: ToolViewProps) {
  const { fulfilment, executor } = proposal;
  const description = textAt(served?.definition, 'description');
  const runs = fulfilment?.executor;
  const runner = served?.by ?? executor;
  return (
    <section class="box" data-section="tool">
      <h2>
        <span>
          The tool <code>{<Marked text={nameOf(proposal)} />}</code>
        </span>
      </h2>
      {served === undefined && runs === undefined && executor !== undefined && servers.length === 0 && (
        <p class="pad dim">
          <Marked text={executor} /> would run this call but does not describe the tool. The call can be
          approved while <Marked text={executor} /> is connected.
        </p>
      )}
      {served === undefined && runs === undefined && (executor === undefined || servers.length > 0) && (
        <p class="pad warn">
          {servers.length === 0
            ? 'No connected server offers this tool. The call can be approved once its server is connected again.'
            : 'Several participants serve this tool, and it is not known which of them would run the call.'}
        </p>
      )}
      {insteadOf !== undefined && runner !== undefined && (
        <p class="pad warn" role="status">
          {describeNewExecutor({ executor: runner, insteadOf }, PLAIN)}
        </p>
      )}
      {description !== undefined && (
        <div class="pad">
          <p class="said-by">
            <Marked text={served?.by ?? ''} /> describes this tool:
          </p>
          <blockquote>
            {/* Describes arguments, with names like theirs, and nobody's values. */}
            <HidingContext.Provider value={NOTHING_HIDDEN}>
              <LongText text={description} isCode={false} />
            </HidingContext.Provider>
          </blockquote>
        </div>
      )}
      {served !== undefined && description === undefined && (
        <p class="pad dim">
          <Marked text={served.by} /> does not describe it.
        </p>
      )}
      {(servers.length > 1 || (mustChoose && servers.length > 0)) && proposal.phase === 'pending' && (
        <fieldset class="pad servers">
          <legend>{servers.length > 1 ? 'Several serve this tool. ' : ''}Who runs the call?</legend>
          {servers.map(({ by }) => (
            <label key={by}>
              <input
                type="radio"
                name="server"
                checked={!mustChoose && by === served?.by}
                onChange={() => onChoose(by)}
              />
              <Marked text={by} />
            </label>
          ))}
        </fieldset>
      )}
    </section>
  );
}
