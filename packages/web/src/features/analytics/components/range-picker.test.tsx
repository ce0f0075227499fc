import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { RangePicker } from './range-picker.tsx'

it('keeps a first date that was typed while the page had not followed yet', () => {
  const onChange = vi.fn()
  const range = { from: '2025-11-18', to: '2026-11-16' }
  render(<RangePicker read={{ choice: 'sendiri', range, fault: null }} today="2026-11-16" onChange={onChange} />)
  fireEvent.change(screen.getByLabelText('Dari'), { target: { value: '2026-01-09' } })
  fireEvent.change(screen.getByLabelText('Sampai'), { target: { value: '2026-01-02' } })
  expect(onChange).toHaveBeenLastCalledWith('sendiri', { from: '2026-01-09', to: '2026-01-02' })
})
