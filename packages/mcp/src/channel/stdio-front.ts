import type { Readable, Writable } from 'node:stream';
import type { Channel } from './channel.js';
import { createLineSplitter, readLine } from './lines.js';

/** The client of a process that is an MCP server over stdio: one message per line. Ends when its input ends. */
export function createStdioFront(
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Channel {
  let isOver = false;
  return {
    async open({ onMessage, onClose, onDrain }) {
      const end = (cause?: Error): void => {
        if (isOver) return;
        isOver = true;
        onClose(cause);
      };
      const split = createLineSplitter((line) => {
        for (const { message, text } of readLine(line)) onMessage(message, text);
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
    send: (message, text = JSON.stringify(message)) => isOver || output.write(`${text}\n`),
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    async close() {
      isOver = true;
      input.pause();
    },
  };
}
