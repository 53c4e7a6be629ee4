import type { IncomingProposal, Participant } from '@proffer/client';

/** The next proposals that a participant sees, in order. */
export function proposalsFor(participant: Participant): () => Promise<IncomingProposal> {
  const seen: IncomingProposal[] = [];
  let look: () => void = () => {};
  participant.onProposal((proposal) => {
    seen.push(proposal);
    look();
  });
  return () =>
    new Promise((resolve) => {
      look = () => {
        const next = seen.shift();
        if (next === undefined) return;
        look = () => {};
        resolve(next);
      };
      look();
    });
}

/** The text of a result's first block. */
export function textOf({ content }: { readonly content?: unknown }): string {
  const [block] = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : [];
  return block?.text ?? '';
}
