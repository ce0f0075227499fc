interface Work<T> {
  readonly result: Promise<T>
  readonly abort: AbortController
  waiting: number
}

/** One work for all callers that ask for the same. It is told to end once none of them waits any more. */
export function createSharedWork<T>() {
  const works = new Map<string, Work<T>>()

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): Work<T> {
    const abort = new AbortController()
    const begun: Work<T> = { result: work(abort.signal), abort, waiting: 0 }
    const end = (): void => {
      if (works.get(key) === begun) works.delete(key)
    }
    begun.result.then(end, end)
    works.set(key, begun)
    return begun
  }

  return async (key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted()
    const own = works.get(key) ?? begin(key, work)
    own.waiting++
    try {
      return await (signal ? unlessGone(own.result, signal) : own.result)
    } finally {
      own.waiting--
      if (own.waiting === 0) {
        // One that comes now begins again.
        if (works.get(key) === own) works.delete(key)
        own.abort.abort(signal?.reason)
      }
    }
  }
}

function unlessGone<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
