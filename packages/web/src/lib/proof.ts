import type { ErrorCode } from '@siarin/contracts/error-codes'
import { serverCode } from './http.ts'
import { createStore, useStore } from './store.ts'

/** The password is asked for again; `answer` with whether the server took it. */
export interface AskedProof {
  readonly answer: (proved: boolean) => void
}

const asked = createStore<AskedProof | null>(null)
let pending: Promise<boolean> | null = null

/** Several calls may need it at once: the person is asked once. */
function askPassword(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    asked.set({
      answer(proved) {
        asked.set(null)
        pending = null
        resolve(proved)
      },
    })
  })
  return pending
}

const NEEDED: ErrorCode = 'password_needed'

/** Makes a call that a session may have to prove its password for: asks the person then, and makes it again. */
export async function withProof<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (serverCode(error) !== NEEDED || !(await askPassword())) throw error
    return call()
  }
}

/** For a screen that knows that it will be needed. */
export const proveNow = (): Promise<boolean> => askPassword()

export const useAskedProof = (): AskedProof | null => useStore(asked)
