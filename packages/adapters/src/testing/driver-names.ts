import type { Driver } from './driver.js';

/** A driver's name, for use in names of participants, tools and files. */
export function plainName({ name }: Pick<Driver, 'name'>): string {
  return name.toLowerCase().replace(/\W+/g, '_');
}
