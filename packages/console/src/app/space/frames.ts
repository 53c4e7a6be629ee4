/** After drawing, the page gets as much time for everything else, up to this many milliseconds. */
const MAX_REST = 100;

/**
 * Calls a function at most once per frame however often it is requested; less often if drawing its changes
 * takes long, so that scrolling and typing stay responsive; and once a second while the page is hidden.
 */
export function atMostOncePerFrame(run: () => void): () => void {
  let isAsked = false;
  let readyAt = 0;
  const go = (): void => {
    isAsked = false;
    const start = performance.now();
    run();
    // After the changes are drawn.
    setTimeout(() => {
      const now = performance.now();
      readyAt = now + Math.min(now - start, MAX_REST);
    }, 0);
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    const wait = readyAt - performance.now();
    // A hidden page has no frames, but still counts in its title.
    if (document.visibilityState !== 'visible') setTimeout(go, 1_000);
    else if (wait <= 0) requestAnimationFrame(go);
    else setTimeout(() => requestAnimationFrame(go), wait);
  };
}
