import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'

/** The tus protocol by hand, as any client would speak it. */
export function tusOf(url: string, apiKey: string) {
  const headers = { 'tus-resumable': '1.0.0', 'x-api-key': apiKey }
  return {
    create: (size: number, filename = 'klip.mp4') =>
      fetch(url + RESUMABLE_UPLOAD_PATH, {
        method: 'POST',
        headers: {
          ...headers,
          'upload-length': String(size),
          'upload-metadata': `filename ${Buffer.from(filename).toString('base64')}`,
        },
      }),
    patch: (location: string, offset: number, body: Buffer) =>
      fetch(new URL(location, url), {
        method: 'PATCH',
        headers: { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        body: new Uint8Array(body),
      }),
    /** Its length is not said: the sender may send more than fits. */
    patchChunked: (location: string, offset: number, pieces: Iterable<Buffer> | AsyncIterable<Buffer>) =>
      fetch(new URL(location, url), {
        method: 'PATCH',
        headers: { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        body: ReadableStream.from(pieces),
        duplex: 'half',
      }),
    head: (location: string) => fetch(new URL(location, url), { method: 'HEAD', headers }),
    remove: (location: string) => fetch(new URL(location, url), { method: 'DELETE', headers }),
  }
}

export const locationOf = (response: Response): string => response.headers.get('location') ?? ''
