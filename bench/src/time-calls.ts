import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

/** What to ask for, in turn, and how often. */
export interface Calls {
  readonly urls: readonly string[]
  readonly headers: Record<string, string>
  readonly count: number
  /** They come first, and their time does not count. */
  readonly warmUps: number
}

/**
 * A program of its own, told what to call by a message. It answers how many milliseconds each call took. In the bench itself the garbage
 * collector has a whole heap to go through, on four threads: the program that is measured waited up to 25 ms for a core meanwhile.
 */
process.once('disconnect', () => process.exit())
const [{ urls, headers, count, warmUps }] = (await once(process, 'message')) as [Calls]
const times: number[] = []
const agent = new Agent({ keepAlive: true })
for (let call = 0; call < count + warmUps; call++) {
  const url = urls[call % urls.length] ?? ''
  const begun = performance.now()
  const [answer] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`${new URL(url).pathname}: ${answer.statusCode}`)
  if (call >= warmUps) times.push(performance.now() - begun)
}
agent.destroy()
process.send?.(times)
process.disconnect()
