import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempDir } from '@siarin/testkit/temp-dir'
import { ERRORS } from '@tus/utils'
import { describe, expect, it } from 'vitest'
import { pour, withoutBytes } from './request-body.ts'

const NOBODY_ENDS_IT = () => new Readable({ read() {} })

/** Takes a piece only when it is let. */
function slowFile() {
  const written: Buffer[] = []
  let goOn = () => {}
  const file = new Writable({
    highWaterMark: 1,
    write(piece, _, done) {
      written.push(piece)
      goOn = done
    },
  })
  return { file, written, letGoOn: () => goOn() }
}

function fileOf(fault?: Error) {
  const written: Buffer[] = []
  const file = new Writable({
    write(piece, _, done) {
      if (!fault) written.push(piece)
      done(fault)
    },
  })
  return { file, text: () => Buffer.concat(written).toString() }
}

describe('the body of a resumable upload', () => {
  it('is written whole', async () => {
    const { file, text } = fileOf()
    await pour(Readable.from(['ab', 'cd'].map((part) => Buffer.from(part))), file, { most: 4, until: NOBODY_ENDS_IT() })
    expect(text()).toBe('abcd')
  })

  it('comes no faster than it is written', async () => {
    const { file, written, letGoOn } = slowFile()
    const body = new PassThrough()
    const poured = pour(body, file, { most: 10, until: NOBODY_ENDS_IT() })
    body.write('a')
    body.write('b')
    await new Promise(setImmediate)
    expect(written).toHaveLength(1)
    expect(body.isPaused()).toBe(true)
    letGoOn()
    await new Promise(setImmediate)
    expect(written).toHaveLength(2)
    body.end()
    letGoOn()
    await poured
  })

  it('that breaks off leaves what has come', async () => {
    const { file, text } = fileOf()
    const body = new PassThrough()
    const poured = pour(body, file, { most: 10, until: NOBODY_ENDS_IT() })
    body.write('ab')
    await new Promise(setImmediate)
    body.destroy(new Error('aborted'))
    await poured
    expect(text()).toBe('ab')
  })

  it('is left where it is when another request goes on with the upload', async () => {
    const { file, text } = fileOf()
    const [body, until] = [new PassThrough(), new PassThrough()]
    const poured = pour(body, file, { most: 10, until })
    body.write('ab')
    await new Promise(setImmediate)
    until.end()
    await poured
    body.write('cd')
    await new Promise(setImmediate)
    expect(text()).toBe('ab')
    expect(body.destroyed).toBe(false)
  })

  it('is refused where it is longer than was said, and its sender can still be answered', async () => {
    const { file } = fileOf()
    const body = new PassThrough()
    const poured = pour(body, file, { most: 3, until: NOBODY_ENDS_IT() })
    body.write('abcd')
    await expect(poured).rejects.toBe(ERRORS.ERR_MAX_SIZE_EXCEEDED)
    expect([file.destroyed, body.destroyed]).toEqual([true, false])
  })

  it('is refused only once nothing of it is written any more', async () => {
    const folder = await tempDir('body')
    const path = join(folder.path, 'file')
    const file = createWriteStream(path)
    const body = new PassThrough()
    const poured = pour(body, file, { most: 4 * 1024 ** 2, until: NOBODY_ENDS_IT() })
    for (let sent = 0; sent < 4; sent++) body.write(Buffer.alloc(1024 ** 2))
    await once(file, 'open')
    body.write('a')
    await expect(poured).rejects.toBe(ERRORS.ERR_MAX_SIZE_EXCEEDED)
    expect(file.closed).toBe(true)
    const { size } = await stat(path)
    await sleep(100)
    expect((await stat(path)).size).toBe(size)
    await folder.remove()
  })

  it('is refused with the fault of its file, and its sender can still be answered', async () => {
    const fault = Object.assign(new Error('full'), { code: 'ENOSPC' })
    const body = new PassThrough()
    const poured = pour(body, fileOf(fault).file, { most: 10, until: NOBODY_ENDS_IT() })
    body.write('abcd')
    await expect(poured).rejects.toBe(fault)
    expect(body.destroyed).toBe(false)
  })
})

describe('a request without its bytes', () => {
  const request = () => Object.assign(new PassThrough(), { method: 'PATCH', url: '/x', headers: { host: 'h' } })
  const bareOf = (body: PassThrough) => withoutBytes(body as unknown as IncomingMessage)

  it('says the same, and ends with the real one', async () => {
    const body = request()
    const bare = bareOf(body)
    expect(bare).toMatchObject({ method: 'PATCH', url: '/x', headers: { host: 'h' } })
    body.end('abc')
    body.resume()
    expect(await bare.toArray()).toEqual([])
  })

  it('breaks with the real one', async () => {
    const body = request()
    const bare = bareOf(body)
    body.destroy(new Error('aborted'))
    const [error] = await once(bare, 'error')
    expect(error).toMatchObject({ message: 'aborted' })
  })
})
