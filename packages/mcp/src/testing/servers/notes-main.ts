import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createNotesServer } from './notes-server.js';

/**
 * The notes server as a process: `notes-main FILE [FOLDER]`. With a folder, `append` leaves `started` in it
 * and continues when `go` exists; the process writes its id to `pid`.
 */
const [, , file = '', folder] = process.argv;

async function beforeWriting(): Promise<void> {
  if (folder === undefined) return;
  writeFileSync(join(folder, 'started'), '');
  while (!existsSync(join(folder, 'go'))) await pause(5);
}

if (folder !== undefined) writeFileSync(join(folder, 'pid'), String(process.pid));
serveStdio(() => createNotesServer({ file, beforeWriting }));
