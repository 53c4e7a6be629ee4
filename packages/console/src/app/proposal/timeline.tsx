import {
  type Change,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsIn,
  textOf,
  textsIn,
} from '@proffer/core/json';
import { describeStep, type Step } from '@proffer/core/words';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';
import { Marked } from '../text/marked.js';
import { useVoice } from '../text/voice.js';
import { When } from '../text/when.js';
import { shortDigest, span } from '../text/words.js';
import { Changes } from '../value/changes-view.js';

interface TimelineProps {
  readonly space: Space;
  readonly id: string;
  /** The known number of steps; they are fetched again when it changes. */
  readonly version: number;
}

/** Everything that happened to a proposal, step by step, from the journal. */
export function Timeline({ space, id, version }: TimelineProps) {
  const [steps, setSteps] = useState<readonly ReportedStep[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const path = `/spaces/${encodeURIComponent(space.name)}/proposals/${encodeURIComponent(id)}`;
    ask(path, space.token)
      .then(({ history }) => setSteps(readSteps(history)))
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  }, [id, version]);
  const [first] = steps ?? [];
  return (
    <section class="box">
      <h2>Full history</h2>
      {problem !== undefined && <p class="pad warn">{problem}</p>}
      <ol class="steps">
        {steps?.map((step, place) => (
          <StepView key={place} step={step} isFirst={place === 0} start={first?.time ?? 0} me={space.me} />
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly step: ReportedStep;
  readonly isFirst: boolean;
  readonly start: number;
  readonly me: string;
}

function StepView({ step, isFirst, start, me }: StepProps) {
  const { what, said, tone, isNotice } = describeStep(step, useVoice(me));
  const digest = digestIn(step);
  const { amendment } = step.facts;
  const changes = isJsonArray(amendment) ? (amendment as unknown as readonly Change[]) : [];
  return (
    <li class={tone}>
      <span class="dot" aria-hidden="true" />
      <span class="what">
        {isNotice !== true && step.by !== '' && (
          <>
            <b>{step.by === me ? 'You' : <Marked text={step.by} />}</b>{' '}
          </>
        )}
        {what}
        {digest !== undefined && (
          <span class="dim small">
            {' · '}
            digest {shortDigest(digest)}
          </span>
        )}
        {said !== undefined && (
          <blockquote>
            <Marked text={said} />
          </blockquote>
        )}
        {changes.length > 0 && <Changes changes={changes} />}
      </span>
      <When at={step.time}>{isFirst ? undefined : `+ ${span(step.time - start)}`}</When>
    </li>
  );
}

/** One step in the life of a proposal, as the gateway reports it. */
interface ReportedStep extends Step {
  readonly time: number;
  readonly by: string;
}

/** Reads the history of a proposal. */
function readSteps(history: JsonValue | undefined): readonly ReportedStep[] {
  return objectsIn(history).map(({ type, time, facts, message }) => {
    const { from, to, payload } = objectOf(message);
    return {
      type: textOf(type),
      time: typeof time === 'number' ? time : 0,
      by: textOf(from),
      to: textsIn(to),
      payload: objectOf(payload),
      facts: objectOf(facts),
    };
  });
}

/** The digest that a step is about, if any. */
function digestIn({ facts }: { readonly facts: JsonObject }): string | undefined {
  const { ranDigest, digest } = facts;
  return textOf(ranDigest ?? digest) || undefined;
}
