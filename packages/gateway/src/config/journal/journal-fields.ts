import { defined, formatPath } from '@proffer/core/json';
import type { BackendName, Durability, JournalPlace } from '@proffer/journal';
import type { MapTree, Path, Report } from '@proffer/reading';
import type { JournalConfig } from '../config.js';
import { optional, section, type ValueOf, withDefault } from '../read/field.js';
import { duration } from '../read/quantity.js';
import { choice, text } from '../read/scalar.js';
import { placeOf } from '../read/tree.js';
import { checkNats, NATS, natsFiles, natsPlaceOf } from './nats-fields.js';

/** Makes a path absolute that is written relative to the configuration file. */
type ResolvePath = (key: readonly string[], value: string) => string;

/** How the settings of one backend become the location of its journal. */
interface BackendSettings<Place> {
  readonly placeOf: (written: WrittenJournal, resolve: ResolvePath) => Place;
  /** Reports keys that do not fit together. Default: none. */
  readonly check?: (written: WrittenJournal, root: MapTree, report: Report) => void;
  /** The files named in the settings, each with its key. Default: none. */
  readonly filesOf?: (place: Place) => readonly NamedFile[];
}

/** A configuration key, and the file it names, if any. */
export type NamedFile = readonly [key: Path, file: string | undefined];

const SETTINGS: {
  readonly [Name in BackendName]: BackendSettings<Extract<JournalPlace, { readonly backend: Name }>>;
} = {
  memory: { placeOf: () => ({ backend: 'memory' }) },
  local: {
    placeOf: ({ path, durability }, resolve) => ({
      backend: 'local',
      path: resolve(['journal', 'path'], path),
      ...(durability === 'process' ? { durability } : {}),
    }),
  },
  nats: {
    placeOf: ({ nats }, resolve) => natsPlaceOf(nats, resolve),
    check: ({ nats }, root, report) => checkNats(nats, root, report),
    filesOf: natsFiles,
  },
};

const HOUR = 3_600_000;

const DURABILITIES: readonly Durability[] = ['power', 'process'];

/** The section `journal`. */
export const JOURNAL = section({
  backend: withDefault(choice(Object.keys(SETTINGS) as BackendName[]), 'local'),
  path: withDefault(text('the path of a folder'), 'proffer-data'),
  durability: withDefault(choice(DURABILITIES), 'power'),
  retention: optional(duration(HOUR, 3650 * 24 * HOUR)),
  nats: NATS,
});

/** `journal` as written. Besides its name, a backend may have its own section. */
type WrittenJournal = ValueOf<typeof JOURNAL>;

/** The journal that the section describes. */
export function journalOf(written: WrittenJournal, resolve: ResolvePath): JournalConfig {
  const { backend, retention } = written;
  const place = SETTINGS[backend].placeOf(written, resolve);
  return { ...place, ...defined({ retention }) };
}

/** Reports conflicts between the keys of the chosen backend. */
export function checkJournal(written: WrittenJournal, root: MapTree, report: Report): void {
  const { backend, durability } = written;
  if (durability === 'process' && backend !== 'local') {
    const path = ['journal', 'durability'];
    const message = `Only a journal in a folder (backend: local) can be synced later; with backend: ${backend}, leave this out.`;
    report(placeOf(root, path), formatPath(path), message);
  }
  SETTINGS[backend].check?.(written, root, report);
}

/** The files named in the settings of a journal, each with its key. */
export function journalFiles(place: JournalPlace): readonly NamedFile[] {
  const settings = SETTINGS[place.backend] as BackendSettings<JournalPlace>;
  return settings.filesOf?.(place) ?? [];
}
