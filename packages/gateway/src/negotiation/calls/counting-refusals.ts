import type { Refusal } from '@proffer/core';

type Call = (...given: never[]) => unknown;

/** The same calls, each of which also counts its refusals; they return a Result or a promise of one. */
export function countingRefusals<Calls extends { readonly [Name in keyof Calls]: Call }>(
  calls: Calls,
  count: (code: string) => void,
): Calls {
  const look = (answer: unknown): unknown => {
    if (answer instanceof Promise) return answer.then(look);
    const refusal = refusalIn(answer);
    if (refusal !== undefined) count(refusal.code);
    return answer;
  };
  const counting = Object.entries<Call>(calls).map(([name, call]) => [
    name,
    (...given: never[]) => look(call(...given)),
  ]);
  return Object.fromEntries(counting) as Calls;
}

function refusalIn(answer: unknown): Refusal | undefined {
  if (typeof answer !== 'object' || answer === null || !('ok' in answer) || answer.ok === true)
    return undefined;
  return 'refusal' in answer ? (answer.refusal as Refusal) : undefined;
}
