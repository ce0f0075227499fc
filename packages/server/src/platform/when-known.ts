/** What is there already, or comes later. */
export type Awaitable<T> = T | Promise<T>

/** Goes on at once with what is there already: each promise in between costs a call that every request makes. */
export const whenKnown = <T, R>(value: Awaitable<T>, next: (value: T) => R): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value)
