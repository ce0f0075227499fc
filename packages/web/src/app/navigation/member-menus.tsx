import { Check, ChevronDown, CircleUserRound } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { THEME_FACES } from '../../components/theme-choices.ts'
import { Bell } from '../../features/notifications/bell.tsx'
import { classes } from '../../lib/classes.ts'
import { chooseTheme, THEME_CHOICES, type ThemeChoice, useTheme } from '../../lib/theme.ts'
import { useLogout } from '../../lib/use-logout.ts'
import { HeaderTally } from './header-tally.tsx'
import { DOCS_MENU, FITUR_MENU, isHighlighted, type MenuItem } from './menu.ts'

const TRIGGER =
  'inline-flex h-10 items-center gap-1.5 rounded-control px-3 text-sm font-semibold transition-colors hover:bg-raised data-[state=open]:bg-raised'
const ITEM =
  'flex h-10 w-full cursor-pointer items-center gap-2.5 rounded-[8px] px-3 text-left text-sm outline-none data-highlighted:bg-raised'
const HIGHLIGHT = 'font-semibold text-accent-ink'

function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      {trigger}
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          className="z-40 min-w-48 animate-appear rounded-[12px] border border-line bg-card p-1.5 shadow-soft"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function MenuLink({ item }: { item: MenuItem }) {
  const highlighted = isHighlighted(useLocation().pathname, item.path)
  return (
    <DropdownMenu.Item asChild>
      <Link
        to={item.path}
        aria-current={highlighted ? 'page' : undefined}
        className={classes(ITEM, highlighted && HIGHLIGHT)}
      >
        {item.label}
      </Link>
    </DropdownMenu.Item>
  )
}

function LinkMenu({ label, root, items }: { label: string; root: string; items: readonly MenuItem[] }) {
  const highlighted = isHighlighted(useLocation().pathname, root)
  return (
    <Menu
      trigger={
        <DropdownMenu.Trigger className={classes(TRIGGER, highlighted ? 'text-accent-ink' : 'text-ink-soft')}>
          {label}
          <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
        </DropdownMenu.Trigger>
      }
    >
      {items.map((item) => (
        <MenuLink key={item.path} item={item} />
      ))}
    </Menu>
  )
}

function ThemeItems() {
  const { choice } = useTheme()
  return (
    <DropdownMenu.RadioGroup value={choice ?? 'system'} onValueChange={(value) => chooseTheme(value as ThemeChoice)}>
      <DropdownMenu.Label className="px-3 pt-1.5 pb-1 text-xs font-semibold text-ink-soft">Tema</DropdownMenu.Label>
      {THEME_CHOICES.map((value) => {
        const { label, icon: Icon } = THEME_FACES[value]
        return (
          <DropdownMenu.RadioItem
            key={value}
            value={value}
            className={ITEM}
            // The menu stays open, so that the choice is seen at once.
            onSelect={(event) => event.preventDefault()}
          >
            <Icon aria-hidden size={18} strokeWidth={1.75} className="text-ink-soft" />
            {label}
            <DropdownMenu.ItemIndicator className="ml-auto text-accent-ink">
              <Check aria-hidden size={18} strokeWidth={2} />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        )
      })}
    </DropdownMenu.RadioGroup>
  )
}

function ProfileMenu() {
  const logout = useLogout()
  const onProfile = isHighlighted(useLocation().pathname, '/profile')
  return (
    <Menu
      trigger={
        <DropdownMenu.Trigger
          aria-label="Profile"
          className={classes(TRIGGER, onProfile ? 'text-accent-ink' : 'text-ink-soft')}
        >
          <CircleUserRound aria-hidden size={22} strokeWidth={1.75} />
        </DropdownMenu.Trigger>
      }
    >
      <MenuLink item={{ label: 'My Profile', path: '/profile' }} />
      <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
      <ThemeItems />
      <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
      <DropdownMenu.Item className={ITEM} onSelect={() => void logout()}>
        Keluar
      </DropdownMenu.Item>
    </Menu>
  )
}

/** What a member has in the header; a phone has the tally and the bell only, and the rest in the bottom bar. */
export function MemberMenus() {
  return (
    <>
      <HeaderTally />
      <Bell />
      <nav aria-label="Menu utama" className="hidden items-center gap-1 md:flex">
        <LinkMenu label="Fitur" root="/fitur" items={FITUR_MENU} />
        <LinkMenu label="Dokumentasi" root="/documentation" items={DOCS_MENU} />
        <ProfileMenu />
      </nav>
    </>
  )
}
