import { deviceName } from '@proffer/core/words';
import { Marked } from '../text/marked.js';
import { duration } from '../text/words.js';
import type { NotifiedBrowser } from './devices.js';

interface DeviceListProps {
  readonly devices: readonly NotifiedBrowser[];
  readonly onForget: (id: string) => void;
}

/** The browsers with notifications, each with a way to remove it: a phone may be lost. */
export function DeviceList({ devices, onForget }: DeviceListProps) {
  if (devices.length === 0) return null;
  return (
    <section class="tell">
      <h3>Your devices</h3>
      <ul class="tell-list">
        {devices.map(({ id, agent, seenAt }) => (
          <li key={id}>
            <span>
              <b>
                <Marked text={deviceName(agent)} />
              </b>
              <span class="dim"> · signed in {duration(Date.now() - seenAt)} ago</span>
            </span>
            <button type="button" class="button" onClick={() => onForget(id)}>
              Remove<span class="sr"> {deviceName(agent)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="dim small">
        A removed device gets no more notifications. Its token still works: ask the operator to revoke it as
        well.
      </p>
    </section>
  );
}
