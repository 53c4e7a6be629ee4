import { decodeText } from '@proffer/client/negotiation';
import { Marked } from '../../text/marked.js';

/** What a message carries as bytes: its text, or its size if it is not text. */
export function Carried({ label, base64 }: { readonly label: string; readonly base64: string }) {
  if (base64 === '') return null;
  const text = decodeText(base64);
  const isText = !text.includes('\uFFFD') && !text.includes('\0');
  return (
    <figure class="carried">
      <figcaption class="dim small">{label}</figcaption>
      {isText ? (
        <pre>
          <Marked text={text.trimEnd()} />
        </pre>
      ) : (
        <p class="dim">{atob(base64).length} bytes that are not text</p>
      )}
    </figure>
  );
}
