import { Marked } from '../text/marked.js';
import { duration } from '../text/words.js';
import type { Device } from './devices.js';

interface DeviceListProps {
  readonly devices: readonly Device[];
  readonly onForget: (id: string) => void;
}

/** The browsers in which one is told, each with a way to end that: a phone may be lost. */
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
                <Marked text={nameOf(agent)} />
              </b>
              <span class="dim"> · signed in {duration(Date.now() - seenAt)} ago</span>
            </span>
            <button type="button" class="button" onClick={() => onForget(id)}>
              Remove<span class="sr"> {nameOf(agent)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="dim small">
        A removed device is told nothing more. Its token still works: ask the operator to revoke it as well.
      </p>
    </section>
  );
}

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const NAMES: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  Macintosh: 'a Mac',
  Windows: 'Windows',
};
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux'] as const;

/** `Chrome on Android`; what the browser says of itself, where that says neither. */
function nameOf(agent: string): string {
  const browser = BROWSERS.find((name) => agent.includes(name));
  const system = SYSTEMS.find((name) => agent.includes(name));
  if (browser === undefined || system === undefined) return agent === '' ? 'A browser' : agent;
  return `${NAMES[browser] ?? browser} on ${NAMES[system] ?? system}`;
}
