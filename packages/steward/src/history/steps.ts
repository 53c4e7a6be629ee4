/** Work in small steps, so that it does not block everything else; ends with its result. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
