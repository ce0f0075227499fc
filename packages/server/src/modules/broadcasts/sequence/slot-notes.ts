import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SlotEntry } from './slots.ts'
import { writeWhole } from './write-whole.ts'

/** What one link stands for, beside the links: the next run of the program takes an ffmpeg over by it. */
export interface SlotNote {
  readonly slot: 0 | 1
  readonly opens: string | null
  /** Null: it leads nowhere, or nobody knows. */
  readonly entry: SlotEntry | null
}

const NAME = 'slots'

export function writeNotes(directory: string, notes: readonly SlotNote[], spare: string | null): void {
  writeWhole(directory, NAME, JSON.stringify(notes), spare)
}

/** Null: there are none, or none that can be read. */
export function readNotes(directory: string, spare: string | null): SlotNote[] | null {
  try {
    const notes: unknown = JSON.parse(readFileSync(join(directory, NAME), 'utf8'))
    return Array.isArray(notes) ? notes : null
  } catch {
    return spare === null ? null : readNotes(spare, null)
  }
}
