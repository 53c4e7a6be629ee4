import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run for about a minute, and mostly wait. */
const LONGEST = ['peers/nemesis.nats.slow.test.ts', 'packed/packages.slow.test.ts'];

const isLongest = ({ moduleId }: TestSpecification): boolean =>
  LONGEST.some((path) => moduleId.endsWith(path));

/**
 * Starts the longest files first in their project. Vitest knows how long a file takes only from an earlier run; in a
 * fresh clone it starts large files first, and these two are small. The last one would then run alone at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longest = sorted.filter(isLongest);
    const others = sorted.filter((file) => !isLongest(file));
    const place = others.findIndex(({ project }) => project === longest[0]?.project);
    return others.toSpliced(place === -1 ? others.length : place, 0, ...longest);
  }
}
