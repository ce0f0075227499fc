const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

/** data-theme on <html> is the person's choice ('light' | 'dark'); without it the system decides. */
function apply(): void {
  const root = document.documentElement
  const chosen = root.dataset['theme']
  const dark = chosen === 'dark' || (chosen !== 'light' && systemDark.matches)
  root.classList.toggle('dark', dark)
  root.classList.toggle('light', !dark)
}

export function followTheme(): void {
  apply()
  systemDark.addEventListener('change', apply)
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme'] })
}
