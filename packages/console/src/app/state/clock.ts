import { useEffect, useState } from 'preact/hooks';

/** How far the gateway's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;

/** A difference that header rounding to seconds and network latency explain. */
const TOLERANCE = 2_500;

/** Learns the gateway's time from the `date` header of an answer: time left is counted on its clock (O-19). */
export function learnTime(date: string | null): void {
  const found = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isNaN(found)) return;
  ahead = Math.abs(found) < TOLERANCE ? 0 : found;
}

/** Now on the gateway's clock, in milliseconds since 1970. */
export function gatewayNow(): number {
  return Date.now() + ahead;
}

/** Like `gatewayNow`, re-rendering its users at an interval in milliseconds. */
export function useNow(every = 1_000): number {
  const [now, setNow] = useState(gatewayNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(gatewayNow()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
