import { deviceName } from '@proffer/core/words';
import { useEffect, useState } from 'preact/hooks';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import { PairPhone } from './pair-phone.js';
import { type Pairing, type PairingChange, readPairing } from './paired.js';

/** The phones paired with the guards' inbox, each with a way to unpair it, and a way to pair one more. */
export function PairedList({ token }: { readonly token: string }) {
  const [pairing, setPairing] = useState<Pairing>();
  const read = (change: PairingChange): void => void readPairing(token, change).then(setPairing, () => {});
  useEffect(() => read({}), []);
  const { devices = [], isShared = false } = pairing ?? {};
  if (devices.length === 0 && !isShared) return null;
  return (
    <section class="tell">
      <h3>Paired phones</h3>
      <ul class="tell-list">
        {devices.map(({ id, agent, pairedAt }) => (
          <li key={id}>
            <span>
              <b>{id}</b>
              <span class="dim">
                {' '}
                · <Marked text={deviceName(agent)} />, paired <When at={pairedAt} />
              </span>
            </span>
            <button type="button" class="button" onClick={() => read({ revoke: id })}>
              Revoke<span class="sr"> {id}</span>
            </button>
          </li>
        ))}
      </ul>
      {isShared && <PairPhone token={token} />}
    </section>
  );
}
