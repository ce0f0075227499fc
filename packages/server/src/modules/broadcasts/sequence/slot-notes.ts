import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SlotEntry } from './slots.ts'

/** What one link stands for, beside the links: the next run of the program takes an ffmpeg over by it. */
export interface SlotNote {
  readonly slot: 0 | 1
  readonly opens: string | null
  /** Null: it leads nowhere, or nobody knows. */
  readonly entry: SlotEntry | null
}

const fileIn = (directory: string): string => join(directory, 'slots')

export function writeNotes(directory: string, notes: readonly SlotNote[]): void {
  const file = fileIn(directory)
  writeFileSync(`${file}.new`, JSON.stringify(notes))
  renameSync(`${file}.new`, file)
}

/** Null: there are none, or none that can be read. */
export function readNotes(directory: string): SlotNote[] | null {
  try {
    const notes: unknown = JSON.parse(readFileSync(fileIn(directory), 'utf8'))
    return Array.isArray(notes) ? notes : null
  } catch {
    return null
  }
}
