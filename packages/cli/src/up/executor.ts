import { connect, RefusedError } from '@proffer/client';
import type { SampleTool } from './sample-tools.js';

export interface ExecutorOptions {
  /** Of the gateway, `http:` or `https:`. */
  readonly url: string;
  readonly space: string;
  readonly tools: readonly SampleTool[];
}

/** The dev mode participant that runs approved calls. */
export const EXECUTOR = 'tools';

/**
 * Connects the built-in executor and announces its tools. Resolves when they can be called, even if the
 * executor of another gateway on the same journal already serves them.
 */
export async function startExecutor({ url, space, tools }: ExecutorOptions) {
  const participant = await connect({ url, space, token: EXECUTOR });
  try {
    await participant.serve(tools.map(({ run, ...definition }) => ({ ...definition, handler: run })));
  } catch (error) {
    await participant.close();
    if (!(error instanceof RefusedError) || error.code !== 'already_serving') throw error;
  }
  return { close: () => participant.close() };
}
