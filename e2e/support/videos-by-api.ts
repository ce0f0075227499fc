import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { waitFor } from '@siarin/testkit/wait-for'

type Owner = { apiKey: string }

/** By the specified call, under the file's own name. */
export async function uploadByApi(request: APIRequestContext, { apiKey }: Owner, file: string): Promise<void> {
  const video = { name: basename(file), mimeType: 'video/mp4', buffer: await readFile(file) }
  const answer = await request.post('/fitur/video/upload', { headers: { 'X-API-Key': apiKey }, multipart: { video } })
  if (!answer.ok()) throw new Error(`the upload answered ${answer.status()}: ${await answer.text()}`)
}

export async function videosReady(request: APIRequestContext, { apiKey }: Owner): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const { data } = await (await request.get('/fitur/video', { headers: { 'X-API-Key': apiKey } })).json()
    return data.every(({ status }: { status: string }) => status === 'ready')
  }
  await waitFor('the videos to be ready', isReady, { timeoutMs: 200_000 })
}
