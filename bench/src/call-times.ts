import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Calls } from './time-calls.ts'

/** The 99th percentile of calls one after the other, in milliseconds, made by a program of its own. */
export async function p99OfCalls(calls: Calls): Promise<number> {
  const child = fork(join(import.meta.dirname, 'time-calls.ts'))
  child.send(calls)
  const [times] = (await Promise.race([once(child, 'message'), failure(child)])) as [number[]]
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`the calls ended with ${code}`)
}
