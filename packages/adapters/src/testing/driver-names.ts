import type { Driver } from './driver.js';

/** The name of a driver where it names a participant, a tool or a file. */
export function plainName({ name }: Pick<Driver, 'name'>): string {
  return name.toLowerCase().replace(/\W+/g, '_');
}
