import { AsyncLocalStorage } from 'node:async_hooks'

const owners = new AsyncLocalStorage<string>()

/** Runs it, and all that follows from it, on behalf of this owner: an account, or an address of which nobody knows yet who calls. */
export const onBehalfOf = <T>(owner: string, work: () => T): T => owners.run(owner, work)

/** For what outlives the call that begins it. */
export const asProgram = <T>(work: () => T): T => owners.exit(work)

/** Null: the program itself. */
export const presentOwner = (): string | null => owners.getStore() ?? null

/** For what is called later, from wherever: it runs on behalf of the present owner. */
export const keepOwner = AsyncLocalStorage.bind
