import { PLATFORM_FACTS, PLATFORMS } from '@siarin/contracts/platforms'
import { Search } from 'lucide-react'
import { Input, Select } from '../../../components/field.tsx'
import type { RoomFilter } from '../room-list.ts'
import { GROUP_WORDS, ROOM_GROUPS } from '../room-row.ts'

/** Empty: all of them. */
const choiceOf = <T extends string>(choices: readonly T[], value: string): T | '' =>
  choices.find((choice) => choice === value) ?? ''

interface RoomFiltersProps {
  filter: RoomFilter
  onChange: (filter: RoomFilter) => void
}

export function RoomFilters({ filter, onChange }: RoomFiltersProps) {
  return (
    <search className="grid grid-cols-2 gap-3 md:grid-cols-[minmax(0,1fr)_12rem_12rem]">
      <span className="relative col-span-2 md:col-span-1">
        <Search
          aria-hidden
          size={18}
          strokeWidth={1.75}
          className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-ink-soft"
        />
        <Input
          type="search"
          aria-label="Cari siaran"
          placeholder="Cari nama atau tujuan"
          className="pl-10"
          value={filter.words}
          onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
        />
      </span>
      <Select
        aria-label="Platform"
        className="max-md:pr-8 max-md:pl-3"
        value={filter.platform}
        onChange={(event) => onChange({ ...filter, platform: choiceOf(PLATFORMS, event.currentTarget.value) })}
      >
        <option value="">Semua platform</option>
        {PLATFORMS.map((platform) => (
          <option key={platform} value={platform}>
            {PLATFORM_FACTS[platform].label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Keadaan"
        className="max-md:pr-8 max-md:pl-3"
        value={filter.group}
        onChange={(event) => onChange({ ...filter, group: choiceOf(ROOM_GROUPS, event.currentTarget.value) })}
      >
        <option value="">Semua keadaan</option>
        {ROOM_GROUPS.map((group) => (
          <option key={group} value={group}>
            {GROUP_WORDS[group]}
          </option>
        ))}
      </Select>
    </search>
  )
}
