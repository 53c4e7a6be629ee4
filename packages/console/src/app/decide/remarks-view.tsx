import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { remarks } from './remarks.js';

interface RemarksProps {
  readonly proposal: string;
  /** Why a decision was refused. */
  readonly refused: string | undefined;
}

/** The state of the last remark made here: refused, sent, or recorded. */
export function Remarks({ proposal, refused }: RemarksProps) {
  const remark = useStore(remarks).get(proposal);
  const problem = refused ?? (remark?.state === 'refused' ? remark.words : undefined);
  return (
    <>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          <Marked text={problem} />
        </p>
      )}
      <p class="notice-place" role="status">
        {problem === undefined && remark !== undefined && (
          <span class={remark.state === 'durable' ? 'notice good' : 'notice'}>{remark.words}</span>
        )}
      </p>
    </>
  );
}
