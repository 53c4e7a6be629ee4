import type { Page } from 'playwright-core';

/** In the page: the ids of those objects that are pending proposals, as folded by core. */
const PENDING = `function () {
  const isPending = (one) => Object.hasOwn(one, 'phase') && one.phase === 'pending' && Object.hasOwn(one, 'rejections');
  return this.filter(isPending).map(({ id }) => id);
}`;

/** The ids of pending proposals on the page's heap after garbage collection, once per copy. */
export async function pendingOnHeap(page: Page): Promise<readonly string[]> {
  const inspector = await page.context().newCDPSession(page);
  // Weak references may keep garbage alive until the second collection.
  await inspector.send('HeapProfiler.collectGarbage');
  await inspector.send('HeapProfiler.collectGarbage');
  const { result } = await inspector.send('Runtime.evaluate', { expression: 'Object.prototype' });
  const { objects } = await inspector.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
  });
  const found = await inspector.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: PENDING,
    returnByValue: true,
  });
  await inspector.detach();
  return found.result.value as readonly string[];
}
