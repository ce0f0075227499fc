import { randomBytes } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { run } from './run.ts'

/**
 * A short video made long by a box that players skip: the size of a film without the time to make one. What is in it looks as random as
 * a film's bytes do: zeros are easier to search for the end of a form.
 */
export async function paddedVideo(folder: string, sizeBytes: number): Promise<string> {
  const file = join(folder, 'padded.mp4')
  await makeClip(file, { seconds: 4 })
  const { size } = await stat(file)
  const header = Buffer.alloc(16)
  header.writeUInt32BE(1, 0)
  header.write('free', 4, 'latin1')
  header.writeBigUInt64BE(BigInt(sizeBytes - size), 8)
  const handle = await open(file, 'r+')
  await handle.write(header, 0, header.length, size)
  const noise = randomBytes(1024 ** 2)
  for (let at = size + header.length; at < sizeBytes; at += noise.length) {
    await handle.write(noise, 0, Math.min(noise.length, sizeBytes - at), at)
  }
  await handle.close()
  return file
}

/** A real video of about this size: one clip of a few megabytes, copied behind itself. */
export async function longVideo(folder: string, sizeBytes: number): Promise<string> {
  const clip = join(folder, 'clip.mp4')
  await makeClip(clip, {
    seconds: 8,
    width: 1280,
    height: 720,
    extraArgs: ['-b:v', '12M', '-minrate', '12M', '-maxrate', '12M', '-bufsize', '12M', '-x264-params', 'nal-hrd=cbr'],
  })
  const times = Math.ceil(sizeBytes / (await stat(clip)).size)
  const file = join(folder, 'long.mp4')
  await run('ffmpeg', [
    '-loglevel',
    'error',
    '-y',
    '-stream_loop',
    String(times - 1),
    '-i',
    clip,
    '-c',
    'copy',
    '-movflags',
    '+faststart',
    file,
  ])
  return file
}

const CLIP_SECONDS = 10

/**
 * What a camera or an editor writes: sound in one piece, with its encoder's priming behind an edit list. Its picture is one clip, copied
 * behind itself.
 */
export async function ordinaryVideo(folder: string, minutes: number): Promise<string> {
  const clip = join(folder, 'clip.mp4')
  const rate = '2600k'
  await makeClip(clip, {
    ...{ seconds: CLIP_SECONDS, width: 1280, height: 720, fps: 30, audioCodec: null },
    extraArgs: [
      '-b:v',
      rate,
      '-minrate',
      rate,
      '-maxrate',
      rate,
      '-bufsize',
      rate,
      '-bf',
      '2',
      '-x264-params',
      'nal-hrd=cbr',
    ],
  })
  const file = join(folder, `ordinary-${minutes}.mp4`)
  await run('ffmpeg', [
    ...['-loglevel', 'error', '-y', '-stream_loop', String((minutes * 60) / CLIP_SECONDS - 1), '-i', clip],
    ...['-f', 'lavfi', '-t', String(minutes * 60), '-i', 'sine=frequency=440:sample_rate=48000'],
    ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac', '-ac', '2', file],
  ])
  return file
}
