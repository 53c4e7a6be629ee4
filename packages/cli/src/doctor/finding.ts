/** The finding of a check. Only `bad` keeps Proffer from working. */
export interface Finding {
  readonly state: 'good' | 'warn' | 'bad';
  readonly subject: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}
