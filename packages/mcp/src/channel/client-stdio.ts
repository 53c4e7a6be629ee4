import type { Readable, Writable } from 'node:stream';
import { parseJson } from '@proffer/core/json';
import { INVALID_PARAMS } from '../json-rpc.js';
import type { JsonRpcChannel } from './channel.js';
import { createLineSplitter, readLine } from './lines.js';
import { MAX_LEVELS } from './shallow-channel.js';

/** A batch is one level deeper than its messages. */
const BATCH_LIMITS = { maxBytes: Number.POSITIVE_INFINITY, maxDepth: MAX_LEVELS + 1 };

/** Whether everything written to a stream has left this process; false forever after it has failed. */
export function hasLeft(output: Writable): boolean {
  return output.errored === null && output.writableLength === 0;
}

/**
 * The client of an MCP server process over stdio: one message per line. Ends when its input ends. A batch
 * that parsers might understand differently is refused as a whole: the original text of its messages is not
 * known.
 */
export function createClientStdio(
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): JsonRpcChannel {
  let isOver = false;
  let fail: ((cause: Error) => void) | undefined;
  return {
    async open({ onMessage, onClose, onDrain }) {
      const end = (cause?: Error): void => {
        if (isOver) return;
        isOver = true;
        onClose(cause);
      };
      fail = end;
      const split = createLineSplitter((line) => {
        const messages = readLine(line);
        const isBatch = messages.some(({ text }) => text === undefined);
        const parsed = isBatch ? parseJson(line, BATCH_LIMITS) : undefined;
        if (parsed?.ok === false) {
          const error = { code: INVALID_PARAMS, message: parsed.refusal.message };
          output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
          return;
        }
        for (const { message, text } of messages) onMessage(message, text);
      });
      input.on('data', (chunk: Buffer) => {
        try {
          split(chunk);
        } catch (error) {
          end(error instanceof Error ? error : new Error(String(error)));
        }
      });
      input.on('end', () => end());
      input.on('close', () => end());
      input.on('error', end);
      output.on('error', end);
      output.on('drain', onDrain);
      if (input.readableEnded || input.destroyed) queueMicrotask(end);
    },
    send(message, text = JSON.stringify(message)) {
      if (isOver) return true;
      const isTaken = output.write(`${text}\n`);
      // A pipe without a reader fails before its event arrives.
      if (output.errored !== null) fail?.(output.errored);
      return isTaken;
    },
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    async close() {
      isOver = true;
      input.pause();
    },
  };
}
