import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Sealer } from '../platform/secrets/seal.ts'

/** What a command works with: the server's database, and who sits at the keyboard. */
export interface CliContext {
  readonly db: Db
  readonly clock: Clock
  readonly trialDays: number
  /** False: plans and suspensions are written down, and nobody is held to them. */
  readonly enforced: boolean
  readonly operator: string
  /** Where users reach the server; null: PUBLIC_URL is not set. */
  readonly publicUrl: string | null
  readonly port: number
  /** Opens the sealer of the server's own secret; refuses where that is not to be had. */
  readonly openSealer: () => Promise<Sealer>
}

/** What was typed behind the command's name, once it is known to be allowed there. */
export interface Arguments {
  /** As many as the command names. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

interface Outcome {
  /** One document for scripts: its keys are a promise. */
  readonly json: object
  /** The same for a person. */
  readonly text: string
  /** What should be known beside it; never part of the document. */
  readonly note?: string
}

export interface Option {
  /** What its value is called in the help; without one it is a switch. */
  readonly value?: string
  readonly help: string
}

interface CommandWords {
  /** Such as 'user show'. */
  readonly name: string
  /** The words behind it, all of them needed. */
  readonly args: readonly string[]
  readonly summary: string
  /** What its help says beyond that, a line each. */
  readonly details: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** Without the part that all have in common. */
  readonly examples: readonly string[]
}

export interface DatabaseCommand extends CommandWords {
  /** Judges what was typed, before anything is opened, and answers the work. */
  prepare(args: Arguments): (context: CliContext) => Promise<Outcome>
}

/** Says how far it is, beside the document. */
type Report = (line: string) => void

/** Works on the folder and the database as a whole: there may be none yet, or one of another version. */
export interface FolderCommand extends CommandWords {
  prepareOnFolder(args: Arguments): (config: Config, env: NodeJS.ProcessEnv, report: Report) => Promise<Outcome>
}

export type Command = DatabaseCommand | FolderCommand

/** It was typed wrongly. */
export class UsageError extends Error {}

/** It was typed rightly and cannot be done: there is no such user, or it is not allowed. */
export class Refusal extends Error {}

export const textOf = (args: Arguments, option: string): string | undefined => {
  const value = args.options[option]
  return typeof value === 'string' ? value : undefined
}

export const argOf = (args: Arguments, index: number): string => args.positionals[index] ?? ''

export function wholeNumber(typed: string, name: string, min: number, max: number): number {
  const value = /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, and '${typed}' is not`)
}

export function oneOf<T extends string>(typed: string, name: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === typed.toLowerCase())
  if (found) return found
  throw new UsageError(`${name} must be one of ${allowed.join(', ')}, and '${typed}' is not`)
}
