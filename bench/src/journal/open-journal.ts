import { openLocalJournal } from '@proffer/journal';

/** Opens a journal, closes it, and returns how many milliseconds the opening took. */
export async function openJournal({ folder }: { readonly folder: string }): Promise<number> {
  const start = performance.now();
  const opened = await openLocalJournal(folder);
  const milliseconds = performance.now() - start;
  if (!opened.ok) throw new Error(opened.refusal.message);
  await opened.value.close();
  return milliseconds;
}
