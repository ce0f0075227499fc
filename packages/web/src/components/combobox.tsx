import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classes } from '../lib/classes.ts'
import { Field, Input } from './field.tsx'

interface ComboboxOption {
  readonly id: string
  readonly name: string
  /** A few quiet words beside the name; they are searched too. */
  readonly detail: string
}

interface ComboboxProps {
  id: string
  label: string
  hint?: string | undefined
  placeholder?: string | undefined
  options: readonly ComboboxOption[]
  /** The id of what is chosen; empty: nothing. */
  value: string
  onPick: (id: string) => void
  /** What is said where nothing is found. */
  nothingFound: string
}

/** Those that have every word typed, in any order. */
function searchOptions(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return options.filter(({ name, detail }) => {
    const text = `${name} ${detail}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Where the arrows lead from `at`, round the ends of the list; -1: nothing is marked yet. */
const step = (at: number, by: 1 | -1, count: number): number => {
  if (count === 0) return -1
  return at < 0 && by < 0 ? count - 1 : (at + by + count) % count
}

function Options({
  listId,
  found,
  active,
  value,
  nothingFound,
  onPick,
}: {
  listId: string
  found: readonly ComboboxOption[]
  active: number
  value: string
  nothingFound: string
  onPick: (id: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const marked = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another option is marked, and has to be seen
  useEffect(() => {
    // Newer browsers answer a promise, which is no way to clean an effect up.
    marked.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // On a phone a button may stick below it.
    <div ref={box} className="scroll-mb-4 rounded-control border border-line bg-card max-md:scroll-mb-40">
      {found.length === 0 && (
        <p role="status" className="px-3.5 py-3 text-sm text-ink-soft">
          {nothingFound}
        </p>
      )}
      {found.length > 0 && (
        <div
          id={listId}
          role="listbox"
          aria-label="Hasil pencarian"
          className="max-h-64 overflow-y-auto overscroll-contain py-1"
        >
          {found.map(({ id, name, detail }, at) => (
            <button
              key={id}
              ref={at === active ? marked : null}
              id={`${listId}-${id}`}
              type="button"
              role="option"
              aria-selected={id === value}
              tabIndex={-1}
              className={classes(
                'flex min-h-11 w-full scroll-my-1 items-center justify-between gap-3 px-3.5 text-left text-sm hover:bg-raised',
                at === active && 'bg-raised',
              )}
              // The field keeps the focus, so that the list does not close before it is pressed.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(id)}
            >
              <span className={classes('min-w-0 truncate', id === value && 'font-semibold text-accent-ink')}>
                {name}
              </span>
              <span className="min-w-0 truncate text-xs text-ink-soft">{detail}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** A field that searches a list. The list opens below it, in its place: nothing is covered, and no frame cuts it off. */
export function Combobox({ id, label, hint, placeholder, options, value, onPick, nothingFound }: ComboboxProps) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  /** Null: the list is closed, and the field shows what is chosen. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(-1)
  const chosen = options.find((option) => option.id === value)
  const found = typed === null ? [] : searchOptions(options, typed)
  const marked = found[active]

  const open = (text: string): void => {
    setTyped(text)
    setActive(text ? 0 : -1)
  }
  const close = (): void => {
    setTyped(null)
    setActive(-1)
  }
  const pick = (picked: string): void => {
    onPick(picked)
    close()
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (typed === null) setTyped('')
      else setActive(step(active, event.key === 'ArrowDown' ? 1 : -1, found.length))
    } else if (typed === null) return
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter') {
      // It chooses, and does not send the form.
      event.preventDefault()
      if (marked) pick(marked.id)
    }
  }

  return (
    <div className="grid gap-1.5">
      <Field id={id} label={label} hint={typed === null ? hint : undefined}>
        <span className="relative block">
          <Search
            aria-hidden
            size={18}
            strokeWidth={1.75}
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft"
          />
          <Input
            ref={input}
            type="text"
            role="combobox"
            aria-expanded={typed !== null}
            aria-controls={found.length > 0 ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={marked && `${listId}-${marked.id}`}
            autoComplete="off"
            spellCheck={false}
            placeholder={chosen?.name ?? placeholder}
            value={typed ?? chosen?.name ?? ''}
            className="px-10"
            // A person who types next means another one.
            onFocus={(event) => event.currentTarget.select()}
            onClick={() => typed === null && open('')}
            onBlur={close}
            onChange={(event) => open(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          {chosen && typed === null && (
            <button
              type="button"
              aria-label={`Kosongkan ${label.toLowerCase()}`}
              className="absolute top-0 right-0 grid size-11 place-items-center rounded-control text-ink-soft hover:text-ink"
              onClick={() => {
                pick('')
                input.current?.focus()
              }}
            >
              <X aria-hidden size={18} strokeWidth={1.75} />
            </button>
          )}
        </span>
      </Field>
      {typed !== null && <Options {...{ listId, found, active, value, nothingFound }} onPick={pick} />}
    </div>
  )
}
