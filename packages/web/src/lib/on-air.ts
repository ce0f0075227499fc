import { createStore, useStore } from './store.ts'

const onAir = createStore(false)

/** Said by the component that watches the broadcasts, so that the page's title can show the lamp without watching them too. */
export const sayOnAir = (now: boolean): void => onAir.set(now)

export const isOnAir = onAir.get

/** Whether something of this person is on air, as far as the page knows. */
export const useOnAir = (): boolean => useStore(onAir)
