import type { Result } from '@proffer/core';
import type { JournalBackend, OpenedJournal, SharedBackend } from './backend.js';
import { type LocalPlace, localBackend } from './local/backend.js';
import { type MemoryPlace, memoryBackend } from './memory/backend.js';
import { type NatsPlace, natsBackend } from './nats/backend.js';

/** Where a journal is: which backend keeps it, and what that needs to find it. */
export type JournalPlace = MemoryPlace | LocalPlace | NatsPlace;

/** The name of a backend, as `journal.backend` has it in a configuration. */
export type BackendName = JournalPlace['backend'];

type Backends = {
  readonly [Name in BackendName]: JournalBackend<Extract<JournalPlace, { readonly backend: Name }>>;
};

const BACKENDS: Backends = { memory: memoryBackend, local: localBackend, nats: natsBackend };

/** The backend of a place. Give it no other place than that one. */
export function backendOf(place: JournalPlace): JournalBackend<JournalPlace> {
  return BACKENDS[place.backend] as JournalBackend<JournalPlace>;
}

/** Opens the journal of a gateway. Refuses one that another process has, that is damaged, or that is not safe. */
export function openJournal(place: JournalPlace): Promise<Result<OpenedJournal>> {
  return backendOf(place).open(place);
}

/** The folder on this machine that a journal is in; `undefined` if it is not in one. */
export function folderOf(place: JournalPlace): string | undefined {
  const backend = backendOf(place);
  return backend.reach === 'machine' ? backend.folderOf(place) : undefined;
}

/** The backend of a place that several gateways can share; `undefined` for the others. */
export function sharedBackendOf(place: JournalPlace): SharedBackend<JournalPlace> | undefined {
  const backend = backendOf(place);
  return backend.reach === 'shared' ? backend : undefined;
}

/** The addresses of all backends that have some. */
export const ADDRESSES: readonly SharedBackend<JournalPlace>['address'][] = Object.values(
  BACKENDS as Readonly<Record<BackendName, JournalBackend<JournalPlace>>>,
).flatMap((backend) => (backend.reach === 'shared' ? [backend.address] : []));
