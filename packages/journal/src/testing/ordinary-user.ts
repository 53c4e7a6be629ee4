/**
 * Does something as a user who has no rights beyond those of files: for root, who has, nothing is
 * read-only. What is loaded only then must be readable for everyone.
 */
export async function asOrdinaryUser<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const NOBODY = 65_534;
