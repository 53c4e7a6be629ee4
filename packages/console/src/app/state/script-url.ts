/** The workers of the console: a script URL of this page is one of these. */
export type WorkerScript = '/console/sw.js' | '/console/verify.js';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: WorkerScript): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The URL of a worker: under Trusted Types, by the only policy that the gateway allows. */
export function scriptUrl(script: WorkerScript): string {
  policy ??= trustedTypes?.createPolicy('proffer-worker', { createScriptURL: onlyWorkers });
  return policy?.createScriptURL(script) ?? script;
}

const WORKERS: readonly string[] = ['/console/sw.js', '/console/verify.js'] satisfies WorkerScript[];

function onlyWorkers(text: string): string {
  if (WORKERS.includes(text)) return text;
  throw new TypeError(`${text} is no worker of the console.`);
}
