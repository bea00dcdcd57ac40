/**
 * A list that its members can leave at any time, in the order in which they came. For what comes and goes with each request: a `Set`
 * makes itself anew every few dozen times, and V8 keeps what stood in the one before until the next full collection. Who has left
 * points to nobody, and nobody to him.
 */

export interface Link<T> {
  /** Undefined: it stands in none. */
  list: Linked<T> | undefined;
  before: T | undefined;
  next: T | undefined;
}

interface Linked<T> {
  remove(one: T): void;
}

export class LinkedList<T extends Link<T>> implements Linked<T> {
  first: T | undefined;
  #last: T | undefined;

  add(one: T): void {
    one.list = this;
    one.before = this.#last;
    if (this.#last === undefined) this.first = one;
    else this.#last.next = one;
    this.#last = one;
  }

  /** It must stand in this one. */
  remove(one: T): void {
    const { before, next } = one;
    if (before === undefined) this.first = next;
    else before.next = next;
    if (next === undefined) this.#last = before;
    else next.before = before;
    one.list = undefined;
    one.before = undefined;
    one.next = undefined;
  }
}
