import type { Result } from '@proffer/core';
import type { JournalBackend, OpenedJournal, SharedBackend } from './backend.js';
import { type LocalPlace, localBackend } from './local/backend.js';
import { type MemoryPlace, memoryBackend } from './memory/backend.js';
import { type NatsPlace, natsBackend } from './nats/backend.js';

/** Where a journal is: its backend, and what that needs to find it. */
export type JournalPlace = MemoryPlace | LocalPlace | NatsPlace;

/** The name of a backend, as in the configuration's `journal.backend`. */
export type BackendName = JournalPlace['backend'];

type Backends = {
  readonly [Name in BackendName]: JournalBackend<Extract<JournalPlace, { readonly backend: Name }>>;
};

const BACKENDS: Backends = { memory: memoryBackend, local: localBackend, nats: natsBackend };

/** The backend of a place. Pass it only this place. */
export function backendOf(place: JournalPlace): JournalBackend<JournalPlace> {
  return BACKENDS[place.backend] as JournalBackend<JournalPlace>;
}

/** Opens a gateway's journal. Refuses one that is in use by another process, damaged, or unsafe. */
export function openJournal(place: JournalPlace): Promise<Result<OpenedJournal>> {
  return backendOf(place).open(place);
}

/** The local folder of a journal; `undefined` if it is not in one. */
export function folderOf(place: JournalPlace): string | undefined {
  const backend = backendOf(place);
  return backend.reach === 'machine' ? backend.folderOf(place) : undefined;
}

/** The backend of a place that several gateways can share; `undefined` for others. */
export function sharedBackendOf(place: JournalPlace): SharedBackend<JournalPlace> | undefined {
  const backend = backendOf(place);
  return backend.reach === 'shared' ? backend : undefined;
}

/** The addresses of all backends that have some. */
export const ADDRESSES: readonly SharedBackend<JournalPlace>['address'][] = Object.values(
  BACKENDS as Readonly<Record<BackendName, JournalBackend<JournalPlace>>>,
).flatMap((backend) => (backend.reach === 'shared' ? [backend.address] : []));
