import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Passes all on, but for requests that are to be cut: those that begin so never arrive. */
export async function cuttingLine(endpoint: string) {
  const { hostname, port } = new URL(endpoint)
  let cut: Pick<RegExp, 'test'> | null = null
  let cuts = 0
  let movedBytes = 0
  const server = createServer((caller) => {
    const store = connect(Number(port), hostname)
    const end = () => {
      caller.destroy()
      store.destroy()
    }
    for (const each of [caller, store]) each.on('error', end).on('close', end)
    store.pipe(caller)
    store.on('data', ({ length }) => (movedBytes += length))
    caller.on('data', (data) => {
      movedBytes += data.length
      if (cut?.test(data.toString('latin1', 0, 600))) {
        cuts++
        // Those that are sent beside it have arrived by then.
        setTimeout(end, 1_000)
        caller.removeAllListeners('data').resume()
      } else if (!caller.destroyed) store.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    movedBytes: () => movedBytes,
    /** Returns how often something was cut meanwhile. */
    async cutting(what: Pick<RegExp, 'test'>, work: () => Promise<unknown>): Promise<number> {
      const before = cuts
      cut = what
      await work()
      cut = null
      return cuts - before
    },
    stop: () => server.close(),
  }
}
