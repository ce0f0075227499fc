import { packetsOf } from '@siarin/testkit/recording'

/** Which clips a recording shows, in order: each is known by a picture that no other has. `files`: where each is, by its name. */
export async function clipsIn(recording: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const firsts = new Map<string, string>()
  for (const [name, file] of files) firsts.set((await packetsOf(file)).video[0]?.hash ?? '', name)
  if (firsts.size !== files.size) throw new Error('two clips begin with the same picture')
  const { video } = await packetsOf(recording)
  return video.flatMap(({ hash }) => firsts.get(hash) ?? [])
}

/** Which clip a recording begins within: also one that it resumes, whose own first picture it does not show. */
export async function clipAtStart(recording: string, files: ReadonlyMap<string, string>): Promise<string | null> {
  const [begin] = (await packetsOf(recording)).video
  for (const [name, file] of files) {
    if ((await packetsOf(file)).video.some(({ hash }) => hash === begin?.hash)) return name
  }
  return null
}

/** From one decoding time to the next, of picture and sound, and how far apart the two end. */
export async function stepsIn(recording: string) {
  const { video, audio } = await packetsOf(recording)
  const steps = [video, audio].flatMap((packets) =>
    packets.slice(1).map(({ decodedMs }, index) => decodedMs - (packets[index]?.decodedMs ?? Number.NaN)),
  )
  const endsApartMs = Math.abs((video.at(-1)?.shownMs ?? 0) - (audio.at(-1)?.shownMs ?? 0))
  return { smallest: Math.min(...steps), largest: Math.max(...steps), endsApartMs }
}
