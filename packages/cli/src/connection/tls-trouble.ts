/** A TLS problem between us and a gateway. */
export interface TlsTrouble {
  /** A sentence. May contain text from others; make it visible before showing it. */
  readonly message: string;
  readonly next: readonly string[];
}

const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);
const NOT_TLS = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);

/**
 * Explains a TLS error that ended a connection; `undefined` for any other error.
 *
 * @param hasCa - whether certificates to trust were given
 */
export function tlsTrouble(error: unknown, url: string, hasCa: boolean): TlsTrouble | undefined {
  const cause = rootOf(error);
  const { code = '', message } = cause;
  if (UNTRUSTED.has(code)) {
    const whose = hasCa
      ? 'an authority that is neither in the file given with --ca nor trusted by this machine'
      : 'an authority that this machine does not trust';
    return {
      message: `The certificate of ${url} is signed by ${whose} (${message}).`,
      next: ['--ca FILE   # the certificate of the authority that signed it, in PEM; or PROFFER_CA'],
    };
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return {
      message: `The certificate of ${url} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}.`,
      next: ['Renew it at the gateway, or check the clock of this machine.'],
    };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = cause.cert?.subjectaltname ?? '';
    return {
      message: `The certificate of ${url} is for another name${names === '' ? '' : ` (${names})`}.`,
      next: ['--url https://NAME:PORT   # with a name that the certificate has'],
    };
  }
  if (url.startsWith('https:') && NOT_TLS.has(code))
    return {
      message: `The server at ${url} does not speak TLS.`,
      next: [`--url ${url.replace(/^https:/, 'http:')}`],
    };
  return undefined;
}

type Cause = NodeJS.ErrnoException & { readonly cert?: { readonly subjectaltname?: string } };

/** The underlying error of the socket. */
function rootOf(error: unknown): Cause {
  let root = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root instanceof Error ? root : new Error(String(root));
}
