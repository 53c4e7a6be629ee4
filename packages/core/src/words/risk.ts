import { objectOf } from '../json/fields.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';
import { segmentText } from '../text/segments.js';
import { type ServerTrustQuestion, trustQuestionIn } from './trust-question.js';
import type { Voice } from './voice.js';

/** What could go wrong, as text. */
export interface Risk {
  readonly level: 'low' | 'some' | 'high';
  readonly headline: string;
  /** The reasons: what is odd, and the server's hints; sentences, ready to be shown. */
  readonly reasons: readonly string[];
}

/** A tool as somebody here serves it. */
export interface ServedTool {
  readonly by: string;
  readonly definition: JsonObject;
}

/**
 * Describes how risky a call is, and why. A server's hints are its own claims, and are told as such.
 *
 * @param served - the tool of the executor; `undefined` if nobody here serves it
 */
export function describeRisk(
  { method, params }: { readonly method: string; readonly params?: JsonObject | undefined },
  served: ServedTool | undefined,
  { text }: Pick<Voice, 'text'>,
): Risk {
  const question = trustQuestionIn({ params });
  const effect = question === undefined ? effectOf(method, served, text) : effectOfTrust(question, text);
  if (!hasHidden(params)) return effect;
  const hidden = 'Contains hidden or look-alike characters, marked below';
  return { level: 'high', headline: effect.headline, reasons: [hidden, ...effect.reasons] };
}

function effectOf(method: string, served: ServedTool | undefined, text: Voice['text']): Risk {
  if (!method.endsWith('/call')) {
    const reads = /\/(?:list|read|get)$/.test(method);
    return reads
      ? { level: 'low', headline: 'Only reads', reasons: [`${text(method)} changes nothing`] }
      : { level: 'some', headline: 'May change something', reasons: [`${text(method)} is not a tool call`] };
  }
  if (served === undefined)
    return {
      level: 'some',
      headline: 'May change something',
      reasons: ['No connected server describes this tool'],
    };
  const { definition } = served;
  const by = text(served.by);
  const hints = objectOf(definition['annotations']);
  const outside = hints['openWorldHint'] === true ? [`${by} says this tool reaches other systems`] : [];
  if (hints['readOnlyHint'] === true && hints['destructiveHint'] !== true)
    return {
      level: 'low',
      headline: 'Only reads',
      reasons: [`${by} says this tool changes nothing`, ...outside],
    };
  if (hints['destructiveHint'] === true)
    return {
      level: 'high',
      headline: 'May destroy data',
      reasons: [`${by} says this tool may overwrite or delete`, ...outside],
    };
  if (hints['destructiveHint'] === false)
    return {
      level: 'some',
      headline: 'Changes something',
      reasons: [`${by} says this tool only adds data and destroys nothing`, ...outside],
    };
  return {
    level: 'some',
    headline: 'May change something',
    reasons: [
      'The server does not say whether this changes data, or nobody has trusted the server yet',
      ...outside,
    ],
  };
}

function effectOfTrust({ server, tool }: ServerTrustQuestion, text: Voice['text']): Risk {
  const follows =
    tool === '*'
      ? `Approving means that you trust what ${text(server)} says about its tools`
      : `Approving means that ${text(tool)} can be used again, in its changed form`;
  return { level: 'some', headline: 'A question of trust', reasons: ['Nothing runs now', follows] };
}

function hasHidden(value: JsonValue | undefined): boolean {
  // A line may end the way it does on Windows; a carriage return anywhere else can hide text.
  if (typeof value === 'string')
    return segmentText(value.replaceAll('\r\n', '\n'), { multiline: true }).some(
      ({ type }) => type !== 'plain',
    );
  if (isJsonArray(value)) return value.some(hasHidden);
  return isJsonObject(value) && Object.entries(value).some((entry) => entry.some(hasHidden));
}
