import { deviceName } from '@proffer/core/words';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../keys/dialog.js';
import { PairedList } from '../pairing/paired-list.js';
import type { DialogProps } from '../shell/dialog-of.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import {
  forget,
  type NotifiedBrowser,
  type PushOffer,
  readOffer,
  subscribe,
  unsubscribe,
} from './devices.js';
import { pushedTo } from './pushed.js';
import { pushProblem } from './support.js';
import { UndeliveredList } from './undelivered-list.js';

type Permission = NotificationPermission | 'unsupported';

/** How this browser notifies, which devices are notified, and for operators what could not be delivered. */
export function NotificationsDialog({ space: { token }, onClose }: Pick<DialogProps, 'space' | 'onClose'>) {
  const [permission, setPermission] = useState<Permission>(readPermission);
  const [offer, setOffer] = useState<PushOffer>();
  const here = useStore(pushedTo);
  const isOn = here !== undefined;
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(true);

  /** Runs an action with the gateway or the browser, and reports errors. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
    setBusy(false);
  }
  useEffect(() => void attempt(async () => setOffer(await readOffer(token))), []);

  const allow = (): Promise<void> =>
    attempt(async () => {
      const answer = await Notification.requestPermission();
      setPermission(answer);
      if (answer !== 'granted' || offer === undefined || pushProblem() !== undefined) return;
      const subscribed = await subscribe(token, offer);
      setOffer(subscribed);
      pushedTo.set(subscribed?.here);
    });
  const remove = (id: string): Promise<void> =>
    attempt(async () => {
      setOffer(await forget(token, id));
      if (id !== here) return;
      pushedTo.set(undefined);
      await unsubscribe();
    });
  const cannot = pushProblem() ?? (offer === undefined && !isBusy ? NOT_OFFERED : undefined);
  return (
    <Dialog label="Notifications" onClose={onClose}>
      <h2>Notifications</h2>
      <section class="tell" aria-busy={isBusy}>
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        <dl class="entries">
          <div class="entry">
            <dt>While the console is open</dt>
            <dd>{OPEN_WORDS[permission]}</dd>
          </div>
          <div class="entry">
            <dt>While it is closed</dt>
            <dd>{isOn ? 'On, in this browser. Push messages are encrypted for it.' : (cannot ?? 'Off.')}</dd>
          </div>
        </dl>
        <p class="row">
          {!isOn && permission !== 'denied' && permission !== 'unsupported' && (
            <button
              type="button"
              class="button go"
              disabled={isBusy || (permission === 'granted' && cannot !== undefined)}
              onClick={() => void allow()}
            >
              {cannot === undefined
                ? 'Notify me even when the console is closed'
                : 'Notify me while the console is open'}
            </button>
          )}
          {isOn && (
            <button type="button" class="button" disabled={isBusy} onClick={() => void remove(here)}>
              Turn off in this browser
            </button>
          )}
        </p>
      </section>
      <DeviceList devices={offer?.devices ?? []} onForget={(id) => void remove(id)} />
      <PairedList token={token} />
      <UndeliveredList token={token} />
      <p class="row">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

const NOT_OFFERED = 'This gateway has no push. You are notified only while the console is open.';

const OPEN_WORDS: Readonly<Record<Permission, string>> = {
  granted: 'On: you are notified of new calls while you look at something else.',
  default: 'Off.',
  denied: "Blocked. Allow notifications for this page in your browser's settings.",
  unsupported: 'This browser does not show notifications here.',
};

function readPermission(): Permission {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

interface DeviceListProps {
  readonly devices: readonly NotifiedBrowser[];
  readonly onForget: (id: string) => void;
}

/** The browsers with notifications, each with a way to remove it: a phone may be lost. */
function DeviceList({ devices, onForget }: DeviceListProps) {
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
              <span class="dim">
                {' '}
                · signed in <When at={seenAt} />
              </span>
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
