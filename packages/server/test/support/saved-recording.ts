import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recording } from '@siarin/contracts/recordings'
import { waitFor } from '@siarin/testkit/wait-for'
import { call } from './program.ts'

/** The recording of a broadcast once it is ready, as its owner downloads it. Returns where it is. */
export async function savedRecording(
  { url, apiKey, streamId }: { url: string; apiKey: string; streamId: string },
  folder: string,
): Promise<string> {
  const { recordingId } = await waitFor('the recording', async () => {
    const { body } = await call(url, 'GET', `/fitur/recording?apiKey=${apiKey}&broadcastId=${streamId}`)
    return (body.recordings as Recording[]).find(({ state }) => state === 'ready')
  })
  const file = join(folder, `${recordingId}.mp4`)
  const response = await fetch(`${url}/fitur/recording/${recordingId}/file?apiKey=${apiKey}`)
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  return file
}
