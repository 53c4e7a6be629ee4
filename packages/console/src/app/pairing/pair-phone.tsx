import { useState } from 'preact/hooks';
import { readPairing } from './paired.js';
import { PairingQuestion } from './pairing-question.js';

/** Dark on light in both themes: scanners expect that. */
const LIGHT = '#ffffff';
const DARK = '#000000';

/** Shows a code that pairs one phone. The confirmation also appears here, when the phone connects. */
export function PairPhone({ token }: { readonly token: string }) {
  const [shown, setShown] = useState<{ readonly link: string; readonly picture: readonly string[] }>();
  const [isWrong, setWrong] = useState(false);
  async function show(): Promise<void> {
    const pairing = await readPairing(token, { pair: true }).catch(() => undefined);
    setWrong(pairing === undefined || pairing.link === '');
    setShown(pairing?.link === '' ? undefined : pairing);
  }
  return (
    <>
      {shown !== undefined && (
        <div class="pair" role="status">
          <Picture rows={shown.picture} />
          <p>
            Scan this code with a phone on the same network within two minutes. It works once. The phone's
            browser warns about the certificate, because this computer signed it itself: continue anyway. Then
            let the phone in here.
          </p>
          <p class="dim">
            <code>{shown.link}</code>
          </p>
        </div>
      )}
      {/* The question on the page is behind this dialog. */}
      {shown !== undefined && <PairingQuestion token={() => token} />}
      {isWrong && (
        <p class="notice bad" role="alert">
          No guard is sharing the inbox now. Start one with <code>--share</code>.
        </p>
      )}
      <p class="row">
        <button type="button" class="button" onClick={() => void show()}>
          {shown === undefined ? 'Pair a phone' : 'New code'}
        </button>
      </p>
    </>
  );
}

function Picture({ rows }: { readonly rows: readonly string[] }) {
  const size = rows.length;
  const dark = rows.flatMap((row, y) =>
    Array.from(row, (cell, x) => (cell === '1' ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg
      class="pair-code"
      viewBox={`0 0 ${size} ${size}`}
      width="232"
      height="232"
      shape-rendering="crispEdges"
      role="img"
      aria-label="QR code of the link below"
    >
      <rect width={size} height={size} fill={LIGHT} />
      <path d={dark.join('')} fill={DARK} />
    </svg>
  );
}
