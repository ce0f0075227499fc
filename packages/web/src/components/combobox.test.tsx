import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { Combobox } from './combobox.tsx'

const OPTIONS = [
  { id: 'kick', name: 'Kick', detail: 'Seluruh dunia' },
  { id: 'soop', name: 'SOOP', detail: 'Korea' },
  { id: 'twitch', name: 'Twitch', detail: 'Seluruh dunia' },
]

function Chooser() {
  const [value, setValue] = useState('')
  return (
    <form aria-label="form" onSubmit={() => setValue('sent')}>
      <Combobox id="x" label="Tujuan" options={OPTIONS} value={value} onPick={setValue} nothingFound="Tidak ada." />
      <output>{value}</output>
    </form>
  )
}

const field = (): HTMLInputElement => screen.getByRole('combobox', { name: 'Tujuan' })
const names = (): (string | null)[] =>
  screen.queryAllByRole('option').map(({ firstChild }) => firstChild?.textContent ?? null)
const type = (value: string): void => void fireEvent.change(field(), { target: { value } })
const press = (key: string): boolean => fireEvent.keyDown(field(), { key })
const marked = (): string | null => {
  const id = field().getAttribute('aria-activedescendant')
  return id && (document.getElementById(id)?.firstChild?.textContent ?? null)
}
const value = (): string | null => screen.getByRole('status', { hidden: true }).textContent

describe('a field that searches a list', () => {
  it('shows all when it is pressed, and what has every word when something is typed', () => {
    render(<Chooser />)
    expect(names()).toEqual([])
    fireEvent.click(field())
    expect(names()).toEqual(['Kick', 'SOOP', 'Twitch'])
    type('dunia  TWI')
    expect(names()).toEqual(['Twitch'])
    type('korea')
    expect(names()).toEqual(['SOOP'])
  })

  it('is worked by keys: arrows go round, Enter chooses and sends nothing, Escape chooses nothing', () => {
    render(<Chooser />)
    press('ArrowDown')
    expect(field().getAttribute('aria-expanded')).toBe('true')
    expect(marked()).toBeNull()
    press('ArrowUp')
    expect(marked()).toBe('Twitch')
    press('ArrowDown')
    expect(marked()).toBe('Kick')
    press('Escape')
    expect(names()).toEqual([])
    expect(field().value).toBe('')

    type('soop')
    expect(marked()).toBe('SOOP')
    // False: what the browser would have done is prevented.
    expect(press('Enter')).toBe(false)
    expect([value(), field().value, names()]).toEqual(['soop', 'SOOP', []])
    expect(press('Enter')).toBe(true)
  })

  it('says that nothing was found, and chooses nothing then', () => {
    render(<Chooser />)
    type('zzz')
    expect(screen.getByText('Tidak ada.')).toBeTruthy()
    expect(press('Enter')).toBe(false)
    fireEvent.blur(field())
    expect(screen.queryByText('Tidak ada.')).toBeNull()
    expect(field().value).toBe('')
  })

  it('is emptied by a button', () => {
    render(<Chooser />)
    fireEvent.click(field())
    fireEvent.click(screen.getByRole('option', { name: /Kick/ }))
    expect(field().value).toBe('Kick')
    fireEvent.click(screen.getByRole('button', { name: 'Kosongkan tujuan' }))
    expect([field().value, names()]).toEqual(['', []])
  })
})
