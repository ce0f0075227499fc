const letters = new Intl.Segmenter('id', { granularity: 'grapheme' })

/** What a person sees as the first letter of a name, in capitals: an emoji made of several characters stays whole. */
export const firstLetter = (name: string): string => {
  const [first] = letters.segment(name.trim())
  return first?.segment.toLocaleUpperCase('id') ?? ''
}
