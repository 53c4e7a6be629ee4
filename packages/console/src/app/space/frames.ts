/** Calls a function once per frame however often it is asked to, and every second while the page is hidden. */
export function atMostOncePerFrame(run: () => void): () => void {
  let isAsked = false;
  const go = (): void => {
    isAsked = false;
    run();
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    // A hidden page has no frames, and still counts what waits in its title.
    if (document.visibilityState === 'visible') requestAnimationFrame(go);
    else setTimeout(go, 1_000);
  };
}
