import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import type { ThemeChoice } from '../lib/theme.ts'

export const THEME_FACES: Record<ThemeChoice, { label: string; icon: LucideIcon }> = {
  system: { label: 'Sistem', icon: Monitor },
  light: { label: 'Terang', icon: Sun },
  dark: { label: 'Gelap', icon: Moon },
}
