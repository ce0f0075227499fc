import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

const KEY = 'kunci-rahasia'

const logged = (error: unknown): string => {
  let text = ''
  createLog('debug', { write: (line) => (text += line) }).error({ err: error }, 'it failed')
  return text
}

const withFacts = (error: Error, facts: object): Error => Object.assign(error, facts)

describe('[SEC-12] an error in the log', () => {
  it.each<[string, unknown]>([
    [
      'a process that could not be started',
      withFacts(new Error('spawn ffmpeg EAGAIN'), { spawnargs: [KEY], cmd: KEY }),
    ],
    ['a target in its words', new Error(`could not open rtmps://live.host:443/app/${KEY}?a=b`)],
    ['a password in an address', new Error(`connect postgres://siarin:${KEY}@db:5432/siarin failed`)],
    ['a key in a query', new TypeError(`fetch of https://host/x?X-Amz-Signature=${KEY} failed`)],
    ['a command of Redis', withFacts(new Error('WRONGPASS'), { command: { name: 'auth', args: [KEY] } })],
    ['a row of PostgreSQL', withFacts(new Error('duplicate key'), { detail: `Key (email)=(${KEY}) already exists.` })],
    [
      'a request of S3',
      withFacts(new Error('SignatureDoesNotMatch'), { $response: { headers: { authorization: KEY } } }),
    ],
    ['its cause', new Error('sending failed', { cause: new Error(`rtmp://host/live/${KEY}: Input/output error`) })],
    ['one of several', new AggregateError([withFacts(new Error('one'), { spawnargs: [KEY] })], 'all failed')],
    ['one of several, in its words', new AggregateError([new Error(`rtmp://host/live/${KEY}`)], 'all failed')],
    ['only its words', `Command failed: ffmpeg -i x -f flv ${KEY}`],
  ])('leaves out what is secret: %s', (_what, error) => {
    expect(logged(error)).not.toContain(KEY)
  })

  it('leaves out the arguments of a command that failed', async () => {
    const error = await promisify(execFile)('/bin/sh', ['-c', 'exit 3', `--target=${KEY}`]).catch((failed) => failed)
    expect(error.cmd).toContain(KEY)
    expect(logged(error)).not.toContain(KEY)
  })

  it('still says what helps to find the fault', () => {
    const error = withFacts(new RangeError('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED', port: 5432 })
    expect(JSON.parse(logged(error)).err).toMatchObject({
      type: 'RangeError',
      message: 'connect ECONNREFUSED 10.0.0.1:5432',
      code: 'ECONNREFUSED',
      port: 5432,
      stack: expect.stringContaining('log.test.ts'),
    })
  })
})
