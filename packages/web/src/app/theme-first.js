// Runs before the first paint, so that a remembered theme never flashes the other one. lib/theme.ts takes over from here.
{
  let choice = null
  try {
    choice = localStorage.getItem('theme')
  } catch {
    // Storage is blocked: the system decides.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.add(dark ? 'dark' : 'light')
}
