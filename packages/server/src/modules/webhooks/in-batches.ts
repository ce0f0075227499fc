/** Does together what was asked for while the last of it was under way. One that fails fails for all that were with it. */
export function inBatches<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface Asked {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Asked[] = []
  let isBusy = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await work(batch.map(({ item }) => item)).then(
        (results) => {
          for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
        },
        (error) => {
          for (const { reject } of batch) reject(error)
        },
      )
    }
    isBusy = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isBusy) return
      isBusy = true
      // What arrived in the same turn comes along.
      setImmediate(run)
    })
}
