import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { clipArgs } from './clips.ts'
import { SEAMS } from './seams.ts'
import { changed, cutTo, ffmpeg, made, type Recipe, turned, written } from './torture-recipes.ts'

/**
 * 'list': the file stays, with a list that says how its end meets its beginning. 'tail': so, with its last pictures once more. 'remux': it
 * is copied. What has to be made anew is its sound, or all of it.
 */
export type Preparation = 'none' | 'list' | 'tail' | 'remux' | 'audio-only' | 'full'

export interface TortureFile {
  name: string
  file: string
  /** Writes it into the folder and answers its path. */
  make(folder: string): Promise<string>
  expect: 'ready' | 'refused'
  /** What has to be done to it before it can go on air. */
  preparation?: Preparation
  /** What the refusal says to the person. */
  refusal?: RegExp
  /** It is taken, but the person is told that something is wrong with it. */
  warning?: boolean
}

const SECONDS = 2
const picture = (size = '320x180', rate: string | number = 25, seconds = SECONDS) =>
  `-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`
const tone = (seconds = SECONDS, sampleRate = 48_000) =>
  `-f lavfi -i sine=frequency=440:sample_rate=${sampleRate}:duration=${seconds}`
const both = `${picture()} ${tone()}`
const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25 -sc_threshold 0'
const HEVC = '-c:v libx265 -preset ultrafast -x265-params log-level=error'
const AAC = '-c:a aac -ac 2 -b:a 96k'

/** Its sound starts and ends with the picture, as makeClip's does: the one kind of file that can be sent as it is. */
const safe = (file: string, options: Parameters<typeof clipArgs>[1] = {}) =>
  made(file, ...clipArgs(file, { seconds: SECONDS, ...options }))

const asItIs = (name: string, recipe: Recipe): TortureFile => ({
  name,
  ...recipe,
  expect: 'ready',
  preparation: 'none',
})
const newSound = (name: string, recipe: Recipe): TortureFile => ({ ...asItIs(name, recipe), preparation: 'audio-only' })
const prepared = (preparation: Preparation, name: string, recipe: Recipe): TortureFile => ({
  ...asItIs(name, recipe),
  preparation,
})
const allNew = (name: string, recipe: Recipe): TortureFile => ({ ...asItIs(name, recipe), preparation: 'full' })
const refused = (name: string, recipe: Recipe, refusal: RegExp): TortureFile => ({
  ...{ name, ...recipe, expect: 'refused', refusal },
})

const CODECS = [
  asItIs('H.264 and AAC, loop-safe', safe('good.mp4')),
  allNew('HEVC', made('hevc.mp4', both, HEVC, AAC)),
  allNew('VP9 and Opus', made('vp9.webm', both, '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus')),
  allNew('AV1', made('av1.mkv', both, '-c:v libaom-av1 -usage realtime -cpu-used 8 -c:a libopus')),
  allNew('MPEG-4 and MP3 in AVI', made('mpeg4.avi', both, '-c:v mpeg4 -c:a libmp3lame')),
  allNew('MPEG-2 in a transport stream', made('mpeg2.ts', both, '-c:v mpeg2video -bf 2 -c:a mp2')),
]

const CONTAINERS = [
  newSound('QuickTime with PCM sound', made('pcm.mov', both, H264, '-c:a pcm_s16le')),
  prepared(
    'remux',
    'Matroska',
    made('h264.mkv', picture('320x180', '60000/1001'), tone(), H264, '-preset veryfast -bf 3', AAC),
  ),
  prepared('remux', 'FLV', made('h264.flv', both, H264, '-bf 2', AAC)),
  newSound('a transport stream', made('h264.ts', both, H264, '-bf 2', AAC)),
  allNew('AVI', made('h264.avi', both, H264, AAC)),
  prepared(
    'remux',
    'a fragmented MP4',
    made('fragments.mp4', both, H264, '-bf 2', AAC, '-movflags frag_keyframe+empty_moov'),
  ),
]

const PICTURES = [
  allNew('turned by a display matrix', changed('rotated.mp4', made('level.mp4', both, H264, AAC), turned)),
  allNew(
    'a variable frame rate',
    made('vfr.mp4', picture('320x180', 30), tone(), '-vf select=lt(mod(n\\,30)\\,20) -vsync vfr', H264, AAC),
  ),
  allNew('10 bits', made('ten-bit.mp4', both, H264, '-pix_fmt yuv420p10le', AAC)),
  allNew(
    'HDR10',
    made(
      'hdr10.mp4',
      `${both} ${HEVC}:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc -pix_fmt yuv420p10le`,
      '-color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc',
      AAC,
    ),
  ),
  allNew('HLG that tells only its transfer', made('hlg.mp4', both, H264, '-color_trc arib-std-b67', AAC)),
  allNew('full range', made('full-range.mp4', both, H264, '-pix_fmt yuvj420p', AAC)),
  allNew('an odd size', made('odd-size.mp4', picture('853x479'), tone(), H264, '-pix_fmt yuv444p', AAC)),
  allNew('oblong pixels', made('oblong.mp4', picture('360x288'), tone(), '-vf setsar=64/45', H264, AAC)),
  asItIs('60 frames per second', safe('60fps.mp4', { fps: 60 })),
  asItIs('upright', safe('upright.mp4', { width: 1080, height: 1920 })),
  asItIs(
    'a pyramid of B-frames',
    safe('b-pyramid.mp4', { extraArgs: '-bf 3 -x264-params b-pyramid=strict'.split(' ') }),
  ),
  allNew('key frames far apart', made('long-gop.mp4', picture('320x180', 25, 5), tone(5), H264, '-g 250', AAC)),
  allNew('interlaced', made('interlaced.mp4', both, H264, '-flags +ilme+ildct -x264-params tff=1', AAC)),
  allNew('four frames per second', made('slides.mp4', picture('320x180', 4), tone(), H264, '-g 8', AAC)),
  asItIs('one second', safe('one-second.mp4', { seconds: 1 })),
  asItIs(
    'a cover picture',
    changed('cover.mp4', safe('plain.mp4'), async (source, path) => {
      const cover = await made('cover.jpg', picture('64x64'), '-frames:v 1').make(dirname(source))
      await ffmpeg('-i', cover, '-i', source, '-map 0 -map 1 -c copy -disposition:v:0 attached_pic', path)
    }),
  ),
]

const SOUNDS = [
  prepared('list', 'the priming of an ordinary AAC', made('ordinary.mp4', both, H264, '-bf 2', AAC)),
  newSound('no sound', safe('silent.mp4', { audioCodec: null })),
  asItIs('mono', safe('mono.mp4', { extraArgs: ['-ac', '1'] })),
  newSound('5.1', made('surround.mp4', both, H264, '-c:a aac -ac 6')),
  newSound('22.05 kHz', made('22050.mp4', picture(), tone(SECONDS, 22_050), H264, AAC)),
  newSound('MP3', made('mp3.mp4', both, H264, '-c:a libmp3lame')),
  prepared('tail', 'sound 0.7 s short', made('sound-short.mp4', picture(), tone(SECONDS - 0.7), H264, AAC)),
  prepared('list', 'sound 0.7 s long', made('sound-long.mp4', picture(), tone(SECONDS + 0.7), H264, AAC)),
  prepared(
    'remux',
    'sound that starts late',
    made('sound-late.mp4', picture(), '-itsoffset 0.5', tone(1.5), H264, AAC),
  ),
  newSound(
    'a picture that starts late',
    changed('picture-late.mp4', made('level.mp4', both, H264, '-bf 2', AAC), (source, path) =>
      ffmpeg('-itsoffset 0.4 -i', source, '-i', source, '-map 0:v -map 1:a -c copy', path),
    ),
  ),
  newSound(
    'two tracks, the second the default',
    made(
      'two-tracks.mp4',
      `${both} ${tone()} -map 0:v -map 1:a -map 2:a -disposition:a:0 0 -disposition:a:1 default`,
      H264,
      AAC,
    ),
  ),
]

const cutOff = (file: TortureFile): TortureFile => ({ ...file, warning: true })
const fourSeconds = `${picture('320x180', 25, 4)} ${tone(4)} ${H264} ${AAC}`
const SUBTITLES = '1\n00:00:00,000 --> 00:00:01,500\nHalo\n'

const STRUCTURES = [
  prepared(
    'remux',
    'subtitles',
    changed('subtitles.mkv', made('plain.mp4', both, H264, AAC), async (source, path) => {
      const text = await written('subtitles.srt', SUBTITLES).make(dirname(source))
      await ffmpeg('-i', source, '-i', text, '-map 0 -map 1 -c copy -c:s srt', path)
    }),
  ),
  allNew(
    'a leading edit list',
    changed('edit-list.mp4', made('longer.mp4', fourSeconds), (source, path) =>
      ffmpeg('-ss 1.5 -i', source, '-t 2 -c copy', path),
    ),
  ),
  cutOff(
    allNew(
      'cut off behind its index',
      changed('cut.mp4', made('whole.mp4', fourSeconds, '-movflags +faststart'), cutTo(0.6)),
    ),
  ),
  cutOff(allNew('a cut-off Matroska', changed('cut.mkv', made('whole.mkv', fourSeconds), cutTo(0.6)))),
]

const UNREADABLE = /tidak bisa dibaca/
const REFUSED = [
  refused(
    'cut off before its index',
    changed('no-moov.mp4', made('whole.mp4', fourSeconds), cutTo(0.6)),
    /tidak lengkap/,
  ),
  refused('random bytes', written('random.mp4', randomBytes(100_000)), UNREADABLE),
  refused('a text', written('text.mp4', 'Ini bukan video.\n'.repeat(100)), UNREADABLE),
  refused('nothing', written('empty.mp4', ''), /kosong/),
  refused('sound alone', made('sound-only.mp4', tone(), AAC), /tidak berisi gambar/),
  refused('a JPEG', changed('jpeg.mp4', made('jpeg.jpg', picture(), '-frames:v 1'), cutTo(1)), /gambar, bukan video/),
  refused('a PNG', changed('png.mp4', made('png.png', picture(), '-frames:v 1'), cutTo(1)), /gambar, bukan video/),
  refused(
    'a playlist',
    written('playlist.mp4', '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n/etc/passwd\n#EXT-X-ENDLIST\n'),
    /daftar putar/,
  ),
  refused('a concat file', written('concat.mp4', "ffconcat version 1.0\nfile 'good.mp4'\n"), /daftar putar/),
]

/** What people own, and what somebody might try: each is either made ready for the air or refused with the reason. */
export const TORTURE: readonly TortureFile[] = [
  ...[...CODECS, ...CONTAINERS, ...PICTURES, ...SOUNDS, ...STRUCTURES],
  ...SEAMS.map(({ name, preparation, recipe }) => prepared(preparation, name, recipe)),
  ...REFUSED,
]

/** One of each kind of fault and of each way to mend it. The others are of the same kinds, with other figures. */
const EVERY_RUN: ReadonlySet<string> = new Set([
  ...['good.mp4', 'hevc.mp4', 'pcm.mov', 'h264.ts', 'rotated.mp4', 'silent.mp4', 'sound-late.mp4', 'edit-list.mp4'],
  ...['cut.mp4', 'seam-ntsc.mp4', 'seam-short-500.mp4'],
])

/** For each run of all tests; the whole set takes two minutes of a small machine. */
export const TORTURE_OF_EVERY_RUN: readonly TortureFile[] = TORTURE.filter(
  ({ file, expect }) => expect === 'refused' || EVERY_RUN.has(file),
)
