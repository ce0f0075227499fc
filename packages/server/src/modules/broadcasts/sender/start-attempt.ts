/** A start that is under way. What it needs may take minutes, such as a video that has to come from a store first. */
export interface StartAttempt {
  /** Throws where nobody wants the start any more. Others may have by now whatever it would touch. */
  assertWanted(): void
  /** Starts its process, where that is still wanted. Until then, and again where it fails, the start can be given up at once. */
  begin<T>(start: () => Promise<T>): Promise<T>
}

/** `onGivenUp`: told once, when it is certain that no process will begin. */
export function createStartAttempt(onGivenUp: () => void) {
  const { promise: givenUp, resolve } = Promise.withResolvers<void>()
  /** 'unwanted': its process begins in this moment. */
  let at: 'preparing' | 'begun' | 'unwanted' | 'given-up' = 'preparing'

  function endUnbegun(): void {
    at = 'given-up'
    onGivenUp()
    resolve()
  }

  function afterFailure(): void {
    if (at === 'unwanted') endUnbegun()
    else at = 'preparing'
  }

  function assertWanted(): void {
    if (at === 'given-up') throw new Error('the start was given up')
  }

  return {
    assertWanted,
    async begin<T>(start: () => Promise<T>): Promise<T> {
      assertWanted()
      at = 'begun'
      try {
        return await start()
      } catch (error) {
        afterFailure()
        throw error
      }
    },
    givenUp,
    isGivenUp: (): boolean => at === 'given-up',
    /** At once, unless its process has begun. */
    giveUp(): void {
      if (at === 'preparing') endUnbegun()
      else if (at === 'begun') at = 'unwanted'
    },
  }
}
