import { useState } from 'preact/hooks';

/** A command for a terminal, with a button that copies it. */
export function CommandLine({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  }
  return (
    <div class="command">
      <pre class="mono">{text}</pre>
      {/* Without TLS, browsers offer a clipboard on this machine only. */}
      {navigator.clipboard !== undefined && (
        <button type="button" class="quiet" onClick={() => void copy().catch(() => {})}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  );
}
