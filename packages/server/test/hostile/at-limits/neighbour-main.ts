import { Agent, get, type IncomingMessage } from 'node:http'

/**
 * A process of its own: somebody who looks at ordinary pages in a steady rhythm, whatever the others do. A call that is late does not keep
 * the next one back, so that a stall is met as often as people would meet it.
 */
const [, , url = '', apiKey = '', everyMs = ''] = process.argv
const PATHS = ['/fitur/steam/active', '/fitur/video', '/fitur/schedule', '/fitur/playlist', '/fitur/target']
/** Who lives elsewhere than the account that is at its limits. */
const ADDRESS = '10.20.30.40'
const agent = new Agent({ keepAlive: true, maxSockets: 100 })
let times: number[] = []
let turn = 0

function ask(): void {
  const begun = performance.now()
  const done = () => void times.push(performance.now() - begun)
  const call = get(url + PATHS[turn++ % PATHS.length], {
    agent,
    headers: { 'x-api-key': apiKey, 'x-forwarded-for': ADDRESS },
  })
  call.once('response', (answer: IncomingMessage) => answer.once('end', done).resume())
  // While the program is down there is nothing to wait for: that is told apart.
  call.once('error', () => {})
}

setInterval(ask, Number(everyMs))
process.on('message', () => {
  process.send?.(times)
  times = []
})
process.once('disconnect', () => process.exit())
