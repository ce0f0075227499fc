import { isSamePlace, type Place } from '../../playlists/next-item.ts'
import type { ClipSequence, LeftOnAir, PassedClip } from './clip-sequence.ts'
import type { Clip } from './clips.ts'
import type { Items, PlaylistSequenceDeps } from './playlist-sequence.ts'
import type { SlotEntry } from './slots.ts'
import { SourceMissingError } from './source-errors.ts'

/** An ffmpeg that went on for longer than this has played for half a day of clips, which nobody will miss one of. */
const MOST_PASSED = 2_000
/** ffmpeg opens a clip a moment before it is sent, and says once a second how far it is. */
const EARLY_MS = 1_500

interface Turn {
  readonly clip: Clip
  readonly place: Place
  readonly ms: number
}

/**
 * What an ffmpeg plays that ran on while no program was there. It has read its two slots in turns: what played, what was to follow, and so
 * on. Which one it reads is known by what it has open; how often it has been there, by how long it has played.
 */
export function createAdoption(
  { clips }: Pick<PlaylistSequenceDeps, 'clips'>,
  { read, clipOf, clipAt, playableAfter }: Pick<Items, 'read' | 'clipOf' | 'clipAt' | 'playableAfter'>,
): NonNullable<ClipSequence['adopted']> {
  const turnOf = (clip: Clip, place: Place): Turn => ({ clip, place, ms: clips.durationOf(clip) })

  /** What a slot was pointed at; null: nobody knows, or its file is gone. */
  async function entryTurn(entry: SlotEntry | null): Promise<Turn | null> {
    if (!entry?.place || !entry.clip.videoId) return null
    const clip = await clipOf(entry.clip.videoId, entry.clip.recipe ?? null).catch(() => null)
    return clip && turnOf(clip, entry.place)
  }

  async function slotsOf({ reads, told }: LeftOnAir): Promise<{ reads: Turn | null; told: Turn[] }> {
    const slots = (await Promise.all(told.map(entryTurn))).flatMap((turn) => turn ?? [])
    const found = slots.find(({ place }) => isSamePlace(place, reads?.place ?? null)) ?? (await entryTurn(reads))
    return { reads: found, told: slots }
  }

  return async (left) => {
    const known = await read()
    // The very file that ffmpeg has open, also where there is a newer rendition by now.
    const clip = await clipAt(left.place, { ...known, recipe: known.now.position_recipe })
    if (!clip) throw new SourceMissingError('the video that plays is gone')
    const own = turnOf(clip, left.place)
    const { reads, told } = await slotsOf(left)
    const { next: found } = reads
      ? { next: null }
      : await playableAfter(left.place, known).catch((error) => {
          for (const turn of [own, ...told]) clips.release(turn.clip)
          throw error
        })
    const other = found && turnOf(found.clip, found.place)
    const isOwn = ({ place }: Turn): boolean => isSamePlace(place, own.place)
    // The row may be a join late: then neither slot has what it names.
    const isLate = reads !== null && told.length === 2 && !told.some(isOwn)
    const second = [...told, reads, other].find((turn) => turn && !isOwn(turn)) ?? own
    const turns = turnsFrom(own.ms - left.fromMs, isLate ? told : [second, own], {
      toMs: left.outTimeMs + (reads ? EARLY_MS : 0),
    })
    const at = reads ? turns.findLastIndex(({ turn }) => isSamePlace(turn.place, reads.place)) : turns.length - 1
    const now = second === own ? undefined : turns[at]
    const plays = now?.turn ?? own
    const isPlaying = ({ place }: Turn): boolean => isSamePlace(place, plays.place)
    const another = told.find((turn) => !isPlaying(turn)) ?? null
    for (const turn of [own, reads, other, ...told]) {
      if (turn && turn.clip !== plays.clip && turn.clip !== another?.clip) clips.release(turn.clip)
    }
    const isBefore = another !== null && told.indexOf(another) < told.findIndex(isPlaying)
    const passed = now ? turns.slice(0, at) : []
    return {
      ...{ clip: plays.clip, place: plays.place, fromMs: now ? -now.outMs : left.fromMs },
      passed: passed.map(({ turn, outMs }): PassedClip => ({ clip: turn.clip, fromMs: -outMs })),
      ...(another && { [isBefore ? 'before' : 'next']: { clip: another.clip, place: another.place, follows: true } }),
    }
  }
}

/** What began in turns from a moment of ffmpeg's time to another. */
function turnsFrom(
  fromMs: number,
  turns: readonly Turn[],
  { toMs }: { toMs: number },
): { turn: Turn; outMs: number }[] {
  const begun: { turn: Turn; outMs: number }[] = []
  for (let outMs = fromMs; outMs <= toMs && begun.length < MOST_PASSED; ) {
    const turn = turns[begun.length % turns.length]
    if (!turn || !(turn.ms > 0)) break
    begun.push({ turn, outMs })
    outMs += turn.ms
  }
  return begun
}
