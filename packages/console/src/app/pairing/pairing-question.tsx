import { deviceName } from '@proffer/core/words';
import { useEffect, useState } from 'preact/hooks';
import { Marked } from '../text/marked.js';
import { type AskingDevice, type Pairing, readPairing } from './paired.js';

/** How often to check whether a device asks, in milliseconds: the person with the phone is waiting. */
const POLL_INTERVAL = 2_000;

/** Asks whether a device may review here, like the terminal that showed the code. */
export function PairingQuestion({ token }: { readonly token: () => string }) {
  const [asking, setAsking] = useState<readonly AskingDevice[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    async function look(): Promise<void> {
      const isSeen = document.visibilityState === 'visible';
      const pairing = isSeen ? await readPairing(token()).catch(() => NOBODY) : NOBODY;
      // Elsewhere no devices are paired, so there is nothing to poll.
      if (isOver || pairing === undefined) return;
      setAsking(pairing.asking);
      timer = setTimeout(() => void look(), POLL_INTERVAL);
    }
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);

  async function answer(id: string, yes: boolean): Promise<void> {
    setAsking(asking.filter((device) => device.id !== id));
    await readPairing(token(), { answer: id, yes }).catch(() => {});
  }
  return (
    <>
      {asking.map(({ id, from, agent }) => (
        <div key={id} class="banner pairing" role="alert">
          <p>
            <b>
              <Marked text={deviceName(agent)} />
            </b>{' '}
            at <Marked text={from} /> wants to see, approve and reject calls here. Let it in only if you have
            just scanned the code with that device.
          </p>
          <button type="button" class="button go" onClick={() => void answer(id, true)}>
            Let it in
          </button>
          <button type="button" class="button" onClick={() => void answer(id, false)}>
            Refuse
          </button>
        </div>
      ))}
    </>
  );
}

const NOBODY: Pick<Pairing, 'asking'> = { asking: [] };
