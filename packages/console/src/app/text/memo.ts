import { Component, type ComponentChildren, createElement, type FunctionComponent } from 'preact';

/** Re-renders a component only when one of its props changes. */
export function memo<Props extends object>(
  draw: (props: Props) => ComponentChildren,
): FunctionComponent<Props> {
  class Kept extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before = this.props as Readonly<Record<string, unknown>>;
      const after = next as Readonly<Record<string, unknown>>;
      const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
      return [...keys].some((key) => !Object.is(before[key], after[key]));
    }

    override render(props: Readonly<Props>): ComponentChildren {
      return draw(props);
    }
  }
  return (props) => createElement(Kept as unknown as FunctionComponent<Props>, props as Props);
}
