import { emptySpace, replaySpace, type SpaceState } from '@proffer/core/operations';
import type { StoredOperation } from '../../delivery/index.js';
import { replayAlone } from '../../journal/index.js';
import type { SpaceHostOptions } from '../space-host-options.js';
import { readRecall } from './stored-proposal.js';

type Options = Pick<SpaceHostOptions, 'journal' | 'settings' | 'replay' | 'from'>;

/** Reads the history of a space: its state, and the last `seq` in it. */
export async function replayHistory({
  journal,
  settings,
  replay = replayAlone(journal),
  from = emptySpace(settings),
}: Options): Promise<{ readonly state: SpaceState; readonly seq: number }> {
  // A snapshot knows only the settings of the space, without the limits of the gateway.
  const history = replaySpace({ ...from, settings });
  const seq = await replay(settings.name, (record) => history.fold(record as StoredOperation));
  for (const id of history.missing()) {
    const recall = await readRecall(journal, settings.name, id);
    if (typeof recall === 'function') history.adjust(recall);
  }
  return { state: history.end(), seq };
}
