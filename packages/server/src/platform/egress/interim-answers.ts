import type { ClientRequest } from 'node:http'

const MOST = 10

/** 'Go on', 'wait', 'early hints': some may come before an answer. A flood of them, or a switch to another protocol, ends the call; its `close` comes in any case. */
export function boundInterimAnswers(call: ClientRequest, giveUp: () => void): void {
  let count = 0
  call.on('information', () => {
    count += 1
    if (count === MOST) giveUp()
  })
  call.once('upgrade', (_answer, socket) => {
    // Node lets go of the connection here: an error on it that nobody listens for would end the program.
    socket.on('error', () => {})
    socket.destroy()
    giveUp()
  })
}
