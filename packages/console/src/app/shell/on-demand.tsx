import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Space } from '../space/space.js';

/** The props of every view. */
export interface ViewProps {
  readonly space: Space;
  readonly item: string | undefined;
}

/** How to load a view: a function that imports it. */
export type Load<Props> = () => Promise<ComponentType<Props>>;
export type LoadView = Load<ViewProps>;

interface OnDemandProps<Props> {
  readonly load: Load<Props>;
  /** The props of the view. */
  readonly props: Props;
}

/** A view that is loaded on first use. */
export function OnDemand<Props extends object>({ load, props }: OnDemandProps<Props>) {
  const [view, setView] = useState<{ readonly View?: ComponentType<Props>; readonly failed?: boolean }>({});
  useEffect(() => {
    load()
      .then((View) => setView({ View }))
      .catch(() => setView({ failed: true }));
  }, [load]);
  const { View, failed = false } = view;
  if (View !== undefined) return <View {...props} />;
  if (!failed)
    return (
      <p class="nothing dim" role="status">
        Loading …
      </p>
    );
  return (
    <div class="nothing">
      <p role="alert">This view could not be loaded.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}
