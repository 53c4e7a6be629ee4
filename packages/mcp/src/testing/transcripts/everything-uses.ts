/**
 * How the comparison uses the reference server's tools. Those that take long or continue on their own are
 * used separately.
 */
export const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['echo', { message: 'hello' }],
  ['echo', { message: 42 }],
  ['no-such-tool', {}],
  ['get-sum', { a: 2, b: 3 }],
  ['get-env', {}],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }],
  ['get-structured-content', { location: 'New York' }],
  ['get-tiny-image', {}],
  ['get-roots-list', {}],
  ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
  ['gzip-file-as-resource', { name: 'b.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' }],
  ['trigger-sampling-request', { prompt: 'hello', maxTokens: 10 }],
  ['trigger-elicitation-request', {}],
  ['trigger-elicitation-request', {}],
  ['trigger-url-elicitation', { url: 'https://example.com/', message: 'Go there.', elicitationId: 'one' }],
  [
    'trigger-url-elicitation',
    { url: 'https://example.com/', message: 'Go there.', elicitationId: 'two', errorPath: true },
  ],
];

/** Tools for which the client itself creates a task, which the server polls once a second. */
export const ASYNC_CALLS: typeof CALLS = [
  ['trigger-sampling-request-async', { prompt: 'hello', maxTokens: 10 }],
  ['trigger-elicitation-request-async', {}],
];

/** Used separately: for progress and cancellation, as server tasks, and for unsolicited messages. */
export const LONG_TOOL = 'trigger-long-running-operation';
export const TASK_TOOL = 'simulate-research-query';
export const TOGGLES = ['toggle-subscriber-updates', 'toggle-simulated-logging'] as const;

/** The arguments for each prompt. */
export const PROMPTS: readonly (readonly [prompt: string, args: Record<string, string>])[] = [
  ['simple-prompt', {}],
  ['args-prompt', { city: 'Bonn' }],
  ['args-prompt', {}],
  ['completable-prompt', { department: 'Engineering', name: 'Alice' }],
  ['resource-prompt', { resourceType: 'Text', resourceId: '1' }],
];

/** What is completed: for a prompt by name, or for a template by text. */
export const COMPLETIONS: readonly {
  readonly of: string;
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments: Record<string, string> };
}[] = [
  { of: 'completable-prompt', argument: { name: 'department', value: 'E' } },
  {
    of: 'completable-prompt',
    argument: { name: 'name', value: '' },
    context: { arguments: { department: 'Engineering' } },
  },
  { of: 'resource-prompt', argument: { name: 'resourceType', value: 'T' } },
  { of: 'demo://resource/dynamic/text/{resourceId}', argument: { name: 'resourceId', value: '7' } },
  { of: 'demo://resource/dynamic/blob/{resourceId}', argument: { name: 'resourceId', value: '7' } },
];

/** Fails if the server lists something that the comparison does not use. */
export function checkUsed(what: string, listed: readonly string[], used: readonly string[]): void {
  const forgotten = listed.filter((name) => !used.includes(name));
  if (forgotten.length > 0)
    throw new Error(`The comparison does not use these ${what}: ${forgotten.join(', ')}`);
}
