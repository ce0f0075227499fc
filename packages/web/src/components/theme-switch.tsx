import { useId } from 'react'
import { chooseTheme, THEME_CHOICES, useTheme } from '../lib/theme.ts'
import { THEME_FACES } from './theme-choices.ts'

/** Three radio buttons side by side: follow the system, light, dark. */
export function ThemeSwitch() {
  const { choice } = useTheme()
  const name = useId()
  return (
    <fieldset className="flex flex-wrap items-center justify-between gap-3">
      <legend className="float-left text-sm font-semibold">Tema</legend>
      <div className="inline-flex rounded-control bg-raised p-1">
        {THEME_CHOICES.map((value) => {
          const { label, icon: Icon } = THEME_FACES[value]
          return (
            <label
              key={value}
              className="inline-flex h-9 cursor-pointer pointer-coarse:h-11 items-center gap-1.5 rounded-[8px] px-3 text-xs font-semibold text-ink-soft transition-colors hover:text-ink has-checked:bg-card has-checked:text-ink dark:has-checked:bg-pressed has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
            >
              <input
                type="radio"
                name={name}
                value={value}
                checked={choice === value}
                onChange={() => chooseTheme(value)}
                className="sr-only"
              />
              <Icon aria-hidden size={16} strokeWidth={1.75} />
              {label}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
