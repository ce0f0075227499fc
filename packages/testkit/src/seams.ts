import { changed, ffmpeg, made, primed, type Recipe } from './torture-recipes.ts'

/** Files whose picture and sound are right, and whose end does not meet their beginning by itself. */
interface Seam {
  readonly name: string
  readonly preparation: 'list' | 'tail' | 'remux' | 'audio-only' | 'full'
  readonly recipe: Recipe
}

const SECONDS = 3
const picture = (rate: string | number = 30, seconds: number = SECONDS) =>
  `-f lavfi -i testsrc2=size=320x180:rate=${rate}:duration=${seconds}`
/** It never repeats itself, so that each of its packets is like no other. */
const tone = (seconds: number = SECONDS, sampleRate = 48_000) =>
  `-f lavfi -i aevalsrc=sin(2*PI*(300*t+40*t*t)):s=${sampleRate}:d=${seconds}`
const H264 = '-c:v libx264 -preset ultrafast -profile:v high -pix_fmt yuv420p -b:v 300k -sc_threshold 0 -threads 1'
const B_FRAMES = '-bf 2 -g 30 -keyint_min 30'
const AAC = '-c:a aac -b:a 96k -ac 2'
const usual = [picture(), tone(), H264, B_FRAMES, AAC] as const

const seam = (preparation: Seam['preparation'], name: string, recipe: Recipe): Seam => ({ name, preparation, recipe })
const copied = (file: string, from: Recipe, options: string, before = ''): Recipe =>
  changed(file, from, (source, path) => ffmpeg(before, '-i', source, '-c copy', options, path))

export const SEAMS: readonly Seam[] = [
  seam('list', 'an ordinary MP4 at 48 kHz', made('seam-48.mp4', ...usual)),
  seam('list', 'one at 44.1 kHz', made('seam-44.mp4', picture(), tone(SECONDS, 44_100), H264, B_FRAMES, AAC)),
  seam(
    'list',
    'mono without B-frames',
    made('seam-mono.mp4', picture(), tone(SECONDS, 44_100), H264, '-bf 0 -g 30', AAC, '-ac 1'),
  ),
  seam(
    'list',
    '60 frames per second without B-frames',
    made('seam-60.mp4', picture(60), tone(), H264, '-bf 0 -g 60', AAC),
  ),
  seam(
    'list',
    '29.97 frames per second',
    made('seam-ntsc.mp4', picture('30000/1001', 3.003), tone(3.003), H264, B_FRAMES, AAC),
  ),
  seam('list', 'sound 50 ms short', made('seam-short-50.mp4', picture(), tone(SECONDS - 0.05), H264, B_FRAMES, AAC)),
  seam('list', 'sound 50 ms long', made('seam-long-50.mp4', picture(), tone(SECONDS + 0.05), H264, B_FRAMES, AAC)),
  seam('list', 'sound 300 ms long', made('seam-long-300.mp4', picture(), tone(SECONDS + 0.3), H264, B_FRAMES, AAC)),
  seam(
    'tail',
    'sound 500 ms short',
    made('seam-short-500.mp4', picture(), tone(SECONDS - 0.5, 44_100), H264, B_FRAMES, AAC),
  ),
  seam(
    'remux',
    'sound 200 ms late',
    made('seam-late.mp4', picture(), '-itsoffset 0.2', tone(SECONDS - 0.2), H264, B_FRAMES, AAC),
  ),
  seam('list', 'a clock that starts at 1.5 s', made('seam-start.mp4', ...usual, '-output_ts_offset 1.5')),
  seam('list', 'a clock of 600 ticks', made('seam-600.mp4', ...usual, '-video_track_timescale 600')),
  seam(
    'remux',
    'fragments',
    made('seam-fragments.mp4', ...usual, '-movflags +frag_keyframe+empty_moov+default_base_moof'),
  ),
  seam('remux', 'Matroska at 30 frames per second', made('seam.mkv', ...usual)),
  seam('remux', 'FLV at 30 frames per second', made('seam.flv', ...usual)),
  seam('list', 'chunks of a second', copied('seam-chunks.mp4', made('usual.mp4', ...usual), '-chunk_duration 1000000')),
  seam(
    'remux',
    'chunks of a second, sound 300 ms long',
    copied(
      'seam-chunks-long.mp4',
      made('long.mp4', picture(), tone(SECONDS + 0.3), H264, B_FRAMES, AAC),
      '-chunk_duration 1000000',
    ),
  ),
  seam(
    'list',
    'cut at a key frame',
    copied('seam-cut.mp4', made('longer.mp4', picture(30, 5), tone(5), H264, B_FRAMES, AAC), '', '-ss 2'),
  ),
  seam(
    'list',
    'no edit list',
    copied(
      'seam-no-edit.mp4',
      made('usual.mp4', picture(), tone(SECONDS + 0.05), H264, B_FRAMES, AAC),
      '-use_editlist 0',
    ),
  ),
  seam(
    'list',
    "the priming of Apple's encoder",
    changed('seam-apple.mp4', made('usual.mp4', picture(), tone(SECONDS + 0.05), H264, B_FRAMES, AAC), primed),
  ),
]
