const WIDTH = 20;

/** A share as a bar: `██████░░░░`. A share outside of 0 … 1 is shown as the nearer of the two. */
export function progressBar(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
}
