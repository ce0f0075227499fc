/** What every text is to have, with a little more for what is rounded: WCAG 2 asks for 4.5, and for less where letters are large. */
const PLENTY = 4.55

/**
 * In the page: for each rule that judges by colours the elements that it may find bad, by how they look. Two texts have the same look when
 * their own style and that of all that they lie on is the same: whatever encloses them, and whatever is painted beside that, out of the flow.
 *
 * Where a text lies on one plain colour its contrast is a matter of arithmetic, the same that axe does: such a text is left out when it has
 * plenty. Whatever is not plain (pictures, opacity, filters, something painted below) is not left out.
 */
export const TEXTS_BY_LOOK = `(() => {
  const hash = (text) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57]
    for (let index = 0; index < text.length; index++) {
      high = Math.imul(high ^ text.charCodeAt(index), 2654435761)
      low = Math.imul(low ^ text.charCodeAt(index), 1597334677)
    }
    return (high >>> 0).toString(36) + (low >>> 0).toString(36)
  }
  // However a colour is written, the canvas paints it: red, green, blue and alpha, each to 255.
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const painted = new Map()
  const paint = (colour) => {
    if (!painted.has(colour)) {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      painted.set(colour, [...canvas.getImageData(0, 0, 1, 1).data])
    }
    return painted.get(colour)
  }
  const over = ([r, g, b, a], below) => [r, g, b].map((part, index) => (part * a + below[index] * (255 - a)) / 255)
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const texts = new Map(), links = new Map()
  const put = (map, look, element) => map.has(look) ? map.get(look).push(element) : map.set(look, [element])
  const isText = (element) => element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue.trim())
  const isInText = (link) => {
    let block = link.parentElement
    while (block.parentElement && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
    const ofLinks = [...block.querySelectorAll('a')].reduce((sum, { textContent }) => sum + textContent.trim().length, 0)
    return block.textContent.trim().length > ofLinks
  }
  const isPlain = (style) => style.backgroundImage === 'none' && style.opacity === '1' && style.filter === 'none' &&
    style.mixBlendMode === 'normal' && style.textShadow === 'none'
  const paints = ({ backgroundColor, backgroundImage }) => backgroundImage !== 'none' || paint(backgroundColor)[3] > 0
  // What stays in view while the page moves lies above the rest, which nobody reads through it.
  const liesBelow = ({ position, zIndex }) => position === 'absolute' || (position === 'fixed' && Number(zIndex) < 0)
  const walk = (element, style, below, ground) => {
    if (style.display === 'none' || style.opacity === '0') return
    // No rule judges what cannot be used.
    if (element.matches(':disabled, [aria-disabled="true"]')) return
    const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode, style.position].join()
    const font = [style.color, style.fontSize, style.fontWeight, style.textShadow, style.textDecorationLine, style.visibility].join()
    const colour = paint(style.backgroundColor)
    const isOverOthers = style.position !== 'static' && style.position !== 'relative'
    const plain = !isPlain(style) ? null : colour[3] === 255 ? colour : ground && !isOverOthers ? over(colour, ground) : null
    const look = hash(below + own + font)
    if (isText(element) && !(plain && contrast(over(paint(style.color), plain), plain) >= ${PLENTY})) put(texts, look, element)
    if (element.matches('a[href]') && isInText(element)) put(links, look, element)
    const children = [...element.children].map((child) => [child, getComputedStyle(child)])
    const beneath = children.filter(([, of]) => liesBelow(of) && paints(of)).map(([, of]) => of.backgroundColor + of.backgroundImage + of.opacity)
    const next = hash(below + own + style.color + beneath.join())
    for (const [child, of] of children) walk(child, of, next, beneath.length === 0 ? plain : null)
  }
  const root = getComputedStyle(document.documentElement)
  const colour = paint(root.backgroundColor)
  walk(document.body, getComputedStyle(document.body), hash(root.backgroundColor), colour[3] === 255 ? colour : null)
  return { 'color-contrast': texts, 'link-in-text-block': links }
})()`
