/**
 * What takes long on long input. It yields wherever others may have their turn, and ends with its result; on short input it
 * is done with the first step.
 */
export type Work<T> = Generator<undefined, T, undefined>;
