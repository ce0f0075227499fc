import type { ClientRequest } from 'node:http'

const MOST = 10

/** 'Go on', 'wait', 'early hints': some may come before an answer. A flood of them, or a switch to another protocol, ends the call. */
export function boundInterimAnswers(call: ClientRequest, giveUp: () => void): void {
  let count = 0
  call.on('information', () => {
    count += 1
    if (count === MOST) giveUp()
  })
  call.once('upgrade', giveUp)
}
