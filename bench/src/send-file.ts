import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request } from 'node:http'
import { pipeline } from 'node:stream/promises'

const CHUNK_BYTES = 1024 * 1024

/** Sends a file as the body of one request, framed when `frame` is given, and answers the text that came back. */
export async function sendFile(
  url: string,
  file: string,
  options: {
    method: string
    headers: Record<string, string>
    frame?: { head: string; tail: string }
    /** When the last byte has been written. */
    onSent?: () => void
  },
): Promise<string> {
  const { size } = await stat(file)
  const { head, tail } = options.frame ?? { head: '', tail: '' }
  const call = request(url, {
    method: options.method,
    headers: { ...options.headers, 'content-length': size + Buffer.byteLength(head) + Buffer.byteLength(tail) },
  })
  const answered = new Promise<string>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('end', () => ((response.statusCode ?? 0) < 300 ? resolve(text) : reject(new Error(text))))
    })
  })
  if (head) call.write(head)
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), call, { end: false })
  call.end(tail, options.onSent)
  return answered
}

export const multipart = (boundary: string, filename: string) => ({
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  frame: {
    head: `--${boundary}\r\nContent-Disposition: form-data; name="video"; filename="${filename}"\r\nContent-Type: video/mp4\r\n\r\n`,
    tail: `\r\n--${boundary}--\r\n`,
  },
})
