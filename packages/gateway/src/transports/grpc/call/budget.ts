/** How many bytes one connection may make the gateway buffer, over all of its calls (I-7). */
export interface Budget {
  /** Reserves this many more; false, and nothing is reserved, if that would be too many. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBudget(bytes: number): Budget {
  let left = bytes;
  return {
    take(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    give(back) {
      left += back;
    },
  };
}
