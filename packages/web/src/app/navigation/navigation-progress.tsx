import { useNavigation } from 'react-router'
import { classes } from '../../lib/classes.ts'

/** A hairline at the top while the next screen's code is fetched; the delay keeps quick changes quiet. */
export function NavigationProgress() {
  const busy = useNavigation().state !== 'idle'
  return (
    <div
      aria-hidden
      className={classes(
        'pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 origin-left bg-accent transition-[opacity,scale]',
        busy ? 'scale-x-90 opacity-100 delay-150 duration-[4s]' : 'scale-x-0 opacity-0 duration-150',
      )}
    />
  )
}
