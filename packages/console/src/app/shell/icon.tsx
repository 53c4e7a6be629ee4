/** The console's icons, each in a box of 20 by 20. */
const PATHS = {
  mark: 'M6 17V4h5a4.5 4.5 0 0 1 0 9h-2m-2.5-3L9 12l4-4.5',
  inbox: 'M3 11h4l1.5 2.5h3L13 11h4M3 11l2.5-6h9L17 11v5H3z',
  proposals: 'M5 3h7l3 3v11H5zM12 3v3h3M8 10h4M8 13h4',
  history: 'M10 6v4l3 2M4 5v4h4M4.4 9A6.5 6.5 0 1 1 4 12',
  negotiations: 'M3 5h9v6H7l-3 2.5V11H3zM14.5 8H17v6h-1v2.5L13 14H9.5',
  rules: 'M4 5h2M4 10h2M4 15h2M9 5h7M9 10h7M9 15h5',
  insights: 'M3 17h14M5.5 14V9M10 14V4M14.5 14v-3',
  people:
    'M8 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5M13 4a2.8 2.8 0 0 1 0 5.3M15 12.5c1.7.6 2.5 2 2.5 4',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3',
  back: 'M12 4l-6 6 6 6',
  check: 'M4 10.5l4 4 8-9',
  cross: 'M5 5l10 10M15 5L5 15',
  pencil: 'M4 16l1-4 8-8 3 3-8 8zM11 6l3 3',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M13 13l4 4',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 6v4l2.5 2',
  code: 'M7 6l-4 4 4 4M13 6l4 4-4 4',
  link: 'M8.5 11.5l3-3M7 9l-2 2a3 3 0 0 0 4 4l2-2M13 11l2-2a3 3 0 0 0-4-4L9 7',
  'risk-high': 'M10 3l7.5 13.5h-15zM10 8v4M10 14.2v.3',
  'risk-some': 'M10 3l7 7-7 7-7-7z',
  'risk-low': 'M10 16a6 6 0 1 0 0-12 6 6 0 0 0 0 12',
  more: 'M3.5 10h1M9.5 10h1M15.5 10h1',
  out: 'M8 4H4v12h4M8 10h9M13.5 6.5L17 10l-3.5 3.5',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to text; it adds no information. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
