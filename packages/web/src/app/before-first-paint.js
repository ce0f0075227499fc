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
  const member = kept('token') !== null
  if (member) document.documentElement.classList.add('member')

  // A button can be seen before it can do anything: a press on it is kept, and done once main.tsx says that the code is here. A link within
  // the page works by itself, but the router may write the address that it has read a moment before over the link's.
  let pressed = null
  const keepPress = ({ target }) => {
    pressed = target.closest('button:not([type=submit]), a[href^="#"]')
  }
  document.addEventListener('click', keepPress)
  addEventListener('code-is-here', () => {
    document.removeEventListener('click', keepPress)
    if (!pressed?.hash || pressed.hash !== location.hash) pressed?.click()
  })

  // A page that comes as HTML keeps its code in a template: what a guest reads needs the line and the processor first. A frame is drawn
  // only where it is seen, and a member's page needs its code to be whole.
  const fetchCode = () => {
    const code = document.getElementById('code')
    if (code) document.head.append(code.content)
  }
  const whenRead = () => {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', fetchCode)
    else fetchCode()
  }
  if (member || document.visibilityState === 'hidden') whenRead()
  else requestAnimationFrame(() => setTimeout(whenRead))
}
