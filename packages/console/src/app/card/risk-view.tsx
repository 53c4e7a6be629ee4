import type { Risk } from '@proffer/core/words';

/** The risk as text, with its reasons. */
export function RiskView({ risk: { level, headline, reasons } }: { readonly risk: Risk }) {
  return (
    <div class={`risk ${level}`} data-section="risk">
      <p class="tag">{headline}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
