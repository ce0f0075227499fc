import { createStore, useStore } from './store.ts'

export interface OpenDialog {
  readonly id: number
  readonly kind: 'alert' | 'confirmation'
  readonly title: string
  readonly text: string
  readonly confirmLabel: string
  readonly refuseLabel: string
  readonly answer: (confirmed: boolean) => void
}

let nextId = 1
const queue = createStore<readonly OpenDialog[]>([])

function open(shown: Omit<OpenDialog, 'id' | 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (confirmed: boolean): void => {
      queue.set(queue.get().filter((dialog) => dialog.id !== id))
      resolve(confirmed)
    }
    queue.set([...queue.get(), { ...shown, id, answer }])
  })
}

/** A message that the person has to acknowledge. */
export const showAlert = async (title: string, text: string): Promise<void> => {
  await open({ kind: 'alert', title, text, confirmLabel: 'OK', refuseLabel: '' })
}

/** Asks before something that cannot be undone. */
export const askConfirmation = (
  question: string,
  consequence: string,
  confirmLabel: string,
  refuseLabel = 'Batal',
): Promise<boolean> => open({ kind: 'confirmation', title: question, text: consequence, confirmLabel, refuseLabel })

/** The dialog to show now; the others wait their turn. */
export const useOpenDialog = (): OpenDialog | undefined => useStore(queue)[0]
