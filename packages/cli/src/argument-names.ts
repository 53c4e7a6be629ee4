import { isJsonArray, isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import { nearest } from '@proffer/reading/nearest';
import { parseAssignment, stepsOf } from './arguments.js';
import { usageFailure } from './command-failure.js';
import { hasArguments } from './proposals/proposal-view.js';

/** A call, and the arguments that its server announced. */
export interface KnownCall {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  /** The announced argument names; absent if none were announced. */
  readonly announced?: readonly string[] | undefined;
}

/** How to write an assignment that changes an argument, and one that adds an unknown argument on purpose. */
export interface Wording {
  readonly set: (assignment: string) => string;
  readonly add: (assignment: string) => string;
}

/** The argument names of an announced tool or prompt; `undefined` if its definition does not list them. */
export function announcedNames({ inputSchema, arguments: given }: JsonObject): readonly string[] | undefined {
  if (isJsonArray(given)) {
    return given.flatMap((one) =>
      isJsonObject(one) && typeof one['name'] === 'string' ? [one['name']] : [],
    );
  }
  const properties = objectOf(inputSchema)['properties'];
  return isJsonObject(properties) ? Object.keys(properties) : undefined;
}

/** Whether an assignment names an argument that the call already has. */
export function isInCall(call: KnownCall, assignment: string): boolean {
  return unknownName({ ...call, announced: [] }, assignment) === undefined;
}

/**
 * Refuses an assignment to an argument that is neither in the call nor announced: after a typo, the call
 * would run as proposed, with an extra argument.
 */
export function checkAssignment(call: KnownCall, assignment: string, { set, add }: Wording): void {
  const unknown = unknownName(call, assignment);
  if (unknown === undefined) return;
  const { name, known, isArgument } = unknown;
  const meant = nearest(name, known);
  const value = assignment.slice(assignment.indexOf('='));
  const listed =
    known.length === 0
      ? ''
      : ` It has ${known.slice(0, MAX_NAMED).join(', ')}${known.length > MAX_NAMED ? ', …' : ''}.`;
  const what = isArgument ? 'The call has no argument' : 'The params have no';
  throw usageFailure(`${what} ${JSON.stringify(name)}, and the tool does not declare one.${listed}`, [
    ...(meant === undefined ? [] : [`${set(`${meant}${value}`)}   # did you mean this?`]),
    `${add(assignment)}   # adds it anyway`,
  ]);
}

const MAX_NAMED = 12;

function unknownName({ method, params = {}, announced = [] }: KnownCall, assignment: string) {
  const [first, second] = stepsOf(method, parseAssignment(assignment).path);
  const isArgument = hasArguments(method) && first === 'arguments';
  const given = params['arguments'];
  const known = isArgument
    ? [...new Set([...(isJsonObject(given) ? Object.keys(given) : []), ...announced])]
    : Object.keys(params);
  const name = isArgument ? second : first;
  return name === undefined || known.includes(name) ? undefined : { name, known, isArgument };
}
