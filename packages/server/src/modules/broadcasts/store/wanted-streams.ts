import { sql } from 'kysely'

/** Spelled out, not a parameter: only then do the indexes of wanted streams serve, however long the history gets. */
export const isWanted = sql<boolean>`phase <> 'ended'`
