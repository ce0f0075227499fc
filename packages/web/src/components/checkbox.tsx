import type { ComponentProps } from 'react'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string
}

/** The whole line is its target. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm">
      <input type="checkbox" className="size-5 shrink-0 accent-(--color-accent)" {...input} />
      <span className="min-w-0">{label}</span>
    </label>
  )
}
