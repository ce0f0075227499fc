import { expect, it } from 'vitest'
import { majorOf } from './ffmpeg-version.ts'

it.each([
  ['ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026 the FFmpeg developers', 5],
  ['ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright', 4],
  ['ffmpeg version n7.0.2 Copyright', 7],
  ['ffmpeg version 7.1 Copyright', 7],
  ['ffmpeg version N-112000-gabcdef Copyright', null],
  ['ffmpeg version 2024-05-13-git-37db0454e4 Copyright', null],
  ['', null],
])('%s: %s', (answer, major) => {
  expect(majorOf(answer)).toBe(major)
})
