/** The addresses of gateways on one journal, any of which will do. */
export interface Addresses {
  readonly count: number;
  /** One of them, counted from 0 and round. */
  at(index: number): string;
  /** Where a connection stands, or stood last: whoever connects next begins there. */
  preferred: number;
}

/** @param url - one address or several; throws a TypeError for none */
export function createAddresses(url: string | readonly string[]): Addresses {
  const urls = typeof url === 'string' ? [url] : url;
  const [first] = urls;
  if (first === undefined) throw new TypeError('There is no address of a gateway.');
  return { count: urls.length, at: (index) => urls[index % urls.length] ?? first, preferred: 0 };
}
