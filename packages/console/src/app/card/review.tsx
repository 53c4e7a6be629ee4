import { approvalProgress, partsOf } from '@proffer/core/approvals';
import { isJsonObject } from '@proffer/core/json';
import { type Counter, definitionDigest, operationDigest, type Proposal } from '@proffer/core/operations';
import { hideSecrets } from '@proffer/core/secrets';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Bar } from '../decide/bar.js';
import { decisions } from '../decide/decisions.js';
import type { ArgumentsDraft } from '../decide/editor.js';
import { useLook } from '../decide/look.js';
import { closePanel, isEditor, panel } from '../decide/panel.js';
import { sendRemark } from '../decide/remarks.js';
import { useKeys } from '../keys/layers.js';
import { Icon } from '../shell/icon.js';
import { OnDemand } from '../shell/on-demand.js';
import { runnerOf } from '../space/runner.js';
import { similarTo } from '../space/similar.js';
import type { Space } from '../space/space.js';
import { isUnserved, withArguments } from '../space/tools.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import { Arguments } from './arguments.js';
import { Heading } from './heading.js';
import { HiddenNotice, type HiddenValues } from './hidden-values.js';
import { Offers } from './offers.js';
import { assessRisk } from './risk.js';
import { RiskView } from './risk-view.js';
import { useSeen } from './shown-version.js';
import { SoFar } from './so-far.js';
import { Standing } from './standing.js';
import { ToolView } from './tool-view.js';
import { Words } from './words.js';

/** Most calls are decided as they are. */
const loadOutcome = async () => (await import('./outcome.js')).Outcome;
const loadSimilar = async () => (await import('./similar-calls.js')).SimilarCalls;
const loadEditor = async () => (await import('../decide/editor.js')).Editor;

interface ReviewProps {
  readonly space: Space;
  readonly proposal: Proposal;
  readonly hidden: HiddenValues;
  /** Whether everything about it is loaded, such as why its proposer asks. */
  readonly isComplete: boolean;
  readonly onBack: () => void;
  readonly onNext: () => void;
  readonly life?: ComponentChildren;
}

/**
 * The whole card: what exactly will happen, who asks, what is known about it, and the decision within reach.
 */
export function Review({ space, proposal, hidden, isComplete, onBack, onNext, life }: ReviewProps) {
  const { id, method, phase, counters } = proposal;
  const changes = useStore(space.changes);
  const open = useStore(panel);
  const made = useStore(decisions).get(id);
  /** The edited arguments; kept when the editor is closed, and shown when it is opened again. */
  const [draft, setDraft] = useState<ArgumentsDraft>();
  const [raw, setRaw] = useState(false);
  const [chosen, setChosen] = useState<string>();
  /** The counter-offer shown in place of the proposal. */
  const [offer, setOffer] = useState<string>();
  const counter = counters.find((each) => each.id === offer);
  const shown: Proposal = useMemo(
    () =>
      counter === undefined ? proposal : { ...proposal, params: counter.params, digest: counter.digest },
    [proposal, counter],
  );
  const { params, digest } = shown;
  const box = useRef<HTMLElement>(null);
  const text = useRef<HTMLDivElement>(null);

  const { given } = useMemo(() => partsOf(shown), [params]);
  const runner = useMemo(() => runnerOf(space, proposal, chosen), [changes, proposal, chosen]);
  const { name: executor, served, servers, insteadOf } = runner;
  const first = useRef(executor);
  first.current ??= executor;
  // Nobody approves a call without noticing that a different executor would run it.
  const isOther = phase === 'pending' && chosen === undefined && executor !== first.current;
  const change = `${plainLine(first.current ?? '')} was going to run this call; now ${plainLine(executor ?? 'nobody')} would. Choose who runs it`;
  const isGone = counter !== undefined && counter.state !== 'live';
  const gone = 'this offer is no longer open; go back to what was proposed';
  const unclear = isGone ? gone : (runner.problem ?? (isOther ? change : undefined));
  const past = useMemo(
    () => (space.knowsPast() ? similarTo(shown, space.proposals) : undefined),
    [changes, params],
  );
  const risk = useMemo(() => assessRisk(shown, { served, past }), [params, served, past]);
  const schema = isJsonObject(served?.definition['inputSchema'])
    ? served.definition['inputSchema']
    : undefined;

  // What is being written stays if somebody else decides meanwhile.
  const isEditing = isEditor(open) && (phase === 'pending' || made === undefined);
  useLayoutEffect(() => closePanel, []);
  // The outcome has to be there when the call ends, even if the gateway was restarted just before.
  useEffect(() => void loadOutcome().catch(() => {}), []);
  const drafted = useMemo(() => {
    if (draft === undefined) return undefined;
    const made = withArguments(params, draft.given);
    return { params: made, digest: operationDigest(method, made) };
  }, [draft, params]);
  const runs = isEditing && drafted !== undefined ? drafted : { params, digest };
  const reason = space.proposals.reason(id);
  const { isRevealed } = hidden;
  /** Editing shows the real arguments. */
  const isCovered = useMemo(() => !isRevealed && hideSecrets(given).hasSecrets, [given, isRevealed]);
  const what = useMemo(
    () => ({
      heading: [id, served?.by ?? ''],
      risk: [id, risk.headline, ...risk.reasons],
      words: [id, reason ?? ''],
      standing: id,
      arguments: [id, digest, isRevealed],
      offers: [id, ...counters.map((each) => [each.id, each.state])],
      tool: [id, executor ?? '', insteadOf ?? '', definitionDigest(served?.definition) ?? ''],
    }),
    [id, served, risk, reason, digest, isRevealed, counters, executor, insteadOf],
  );
  const needed = approvalProgress(proposal)?.needed ?? 0;
  const look = useLook(JSON.stringify([id, proposal.version, digest, executor, needed]));
  const { share, readOn } = useSeen(box, text, { what, isReady: isComplete && !isEditing });

  const read = (pages: number): void =>
    box.current?.scrollBy({ top: pages * box.current.clientHeight * 0.9, behavior: 'auto' });
  useKeys({
    ' ': (event) => read(event.shiftKey ? -1 : 1),
    PageDown: () => read(1),
    PageUp: () => read(-1),
    End: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
    Home: () => box.current?.scrollTo({ top: 0 }),
    '.': () => setRaw(!raw),
    y: () => void navigator.clipboard?.writeText(location.href).catch(() => {}),
  });

  function show(next: string | undefined): void {
    setOffer(next);
    setDraft(undefined);
    box.current?.scrollTo({ top: 0 });
    box.current?.focus();
  }

  const { participant, me } = space;
  const onAccept = ({ id: accepted, by, digest: seen }: Counter): void =>
    void sendRemark(id, `Accepted. Exactly that runs, approved by ${plainLine(by)}.`, () =>
      participant.accept(accepted, seen),
    );
  const onOffer = (reason: string): void => {
    if (drafted === undefined) return;
    const last = counters.findLast(({ by, state }) => by !== me && state === 'live')?.id;
    const answers = offer ?? (proposal.proposer === me ? last : undefined) ?? id;
    panel.set('none');
    void sendRemark(
      id,
      'Your offer is recorded. It stays open until you make another offer or reject the call.',
      () => participant.counter(id, drafted.params, { reason, answers }),
    ).then((isRecorded) => isRecorded && setDraft(undefined));
  };

  return (
    <>
      <article ref={box} class="card" tabIndex={0} aria-labelledby="card-title">
        <div class="card-body">
          <button type="button" class="back" onClick={onBack}>
            <Icon name="back" /> Back
          </button>
          <div ref={text}>
            <Heading proposal={proposal} me={space.me} served={served} />
            {phase === 'pending' && <RiskView risk={risk} />}
            <HiddenNotice {...hidden} />
            <Words proposer={proposal.proposer} reason={reason} />
            <Standing space={space} proposal={proposal} />
            {phase !== 'pending' && (
              <OnDemand
                load={loadOutcome}
                props={{ proposal, me: space.me, answer: space.proposals.answer(id) }}
              />
            )}
            {isEditing ? (
              <section class="box">
                <h2>
                  {phase !== 'pending'
                    ? 'Your changes'
                    : open === 'offer'
                      ? 'What you offer instead'
                      : 'Edit what will run'}
                </h2>
                {isCovered ? (
                  <p class="pad">
                    Editing shows the hidden values.{' '}
                    <button type="button" class="button" onClick={hidden.toggle}>
                      Reveal and edit
                    </button>
                  </p>
                ) : (
                  <OnDemand
                    load={loadEditor}
                    props={{
                      original: given,
                      draft: draft ?? { given, problems: [] },
                      schema,
                      onChange: setDraft,
                    }}
                  />
                )}
              </section>
            ) : (
              <Arguments proposal={shown} offeredBy={counter?.by} schema={schema} raw={raw} onRaw={setRaw} />
            )}
            <Offers
              space={space}
              proposal={proposal}
              shown={offer}
              onShow={show}
              onAccept={space.rights().mayAccept(proposal) ? onAccept : undefined}
            />
            <ToolView
              proposal={proposal}
              servers={servers}
              served={served}
              insteadOf={insteadOf}
              mustChoose={unclear !== undefined}
              onChoose={setChosen}
            />
          </div>
          {life ?? <SoFar proposal={proposal} me={space.me} />}
          {past !== undefined && <OnDemand load={loadSimilar} props={{ past, space }} />}
          <footer class="fine mono">
            <span>{id}</span>
            <span>{digest}</span>
          </footer>
        </div>
      </article>
      <Bar
        space={space}
        proposal={proposal}
        decision={made}
        isUnserved={isUnserved(proposal, servers)}
        look={look}
        share={share}
        onReadOn={readOn}
        approval={{ ...runs, executor, insteadOf, definition: definitionDigest(served?.definition) }}
        isEdited={runs.digest !== digest}
        draft={isEditing ? 'open' : drafted === undefined || drafted.digest === digest ? 'none' : 'aside'}
        problems={[
          ...(unclear === undefined ? [] : [unclear]),
          ...(isEditing ? (draft?.problems ?? []) : []),
        ]}
        offerProblem={
          draft?.problems[0] ??
          ((drafted?.digest ?? digest) === digest ? 'nothing has been changed' : undefined)
        }
        onOffer={onOffer}
        onNext={onNext}
      />
    </>
  );
}
