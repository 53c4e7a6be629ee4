import { type Gateway, parseConfig, startGateway } from '@proffer/gateway';
import { openLocalJournal } from '@proffer/journal';
import { pino } from 'pino';

export interface ServeSpaceOptions {
  /** The folder of the journal. */
  readonly journal: string;
  readonly port: number;
  readonly yaml?: string;
}

/** Runs a gateway in this process, in dev mode unless told otherwise. */
export async function serveSpace({ journal, port, yaml = 'dev: true' }: ServeSpaceOptions): Promise<Gateway> {
  const { config, problems } = parseConfig(yaml, { file: 'test.yaml' });
  if (config === undefined) throw new Error(JSON.stringify(problems));
  const opened = await openLocalJournal(journal);
  if (!opened.ok) throw new Error(opened.refusal.message);
  const listen = { http: { host: '127.0.0.1', port }, allowInsecure: false };
  const started = await startGateway({
    config: { ...config, listen },
    log: pino({ level: 'silent' }),
    journal: opened.value,
  });
  if (!started.ok) throw new Error(started.refusal.message);
  return started.value;
}
