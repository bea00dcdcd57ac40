import type fc from 'fast-check';

/** One thing under fuzzing, ready to be tried. */
export interface Running {
  readonly property: fc.IRawProperty<unknown>;
  /** After the last try: what only the whole run can show. */
  end(): Promise<void>;
}
