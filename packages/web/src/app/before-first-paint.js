// Runs before the first paint. What the page's HTML cannot know must not flash: which theme was chosen, and whether somebody is logged in.
{
  const kept = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage is blocked: the system decides, and nobody is logged in.
      return null
    }
  }
  const choice = kept('theme')
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  // lib/theme.ts takes over from here.
  document.documentElement.classList.add(dark ? 'dark' : 'light')
  // HTML is made for guests. Until main.tsx has shown a member's own page, what is for guests alone stays out of sight.
  if (kept('token')) document.documentElement.classList.add('member')
}
