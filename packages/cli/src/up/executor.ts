import { connect } from '@proffer/client';
import type { SampleTool } from './sample-tools.js';

export interface ExecutorOptions {
  /** Of the gateway, `http:` or `https:`. */
  readonly url: string;
  readonly space: string;
  readonly tools: readonly SampleTool[];
}

/** The participant of dev mode that runs what is approved. */
export const EXECUTOR = 'tools';

/** Connects the built-in executor and announces its tools. Settles when they can be called. */
export async function startExecutor({ url, space, tools }: ExecutorOptions) {
  const participant = await connect({ url, space, token: EXECUTOR });
  await participant.serve(tools.map(({ run, ...definition }) => ({ ...definition, handler: run })));
  return { close: () => participant.close() };
}
