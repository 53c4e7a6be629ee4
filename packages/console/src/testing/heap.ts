import type { Page } from 'playwright-core';

/** In the page: the ids of those objects that are a pending proposal, as core folds it. */
const PENDING = `function () {
  const isPending = (one) => Object.hasOwn(one, 'phase') && one.phase === 'pending' && Object.hasOwn(one, 'rejections');
  return this.filter(isPending).map(({ id }) => id);
}`;

/** The ids of pending proposals that are on the page's heap after its garbage is collected, once for each copy. */
export async function pendingOnHeap(page: Page): Promise<readonly string[]> {
  const inspector = await page.context().newCDPSession(page);
  // What the first collection finds unreachable may be kept by weak references until the second.
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
