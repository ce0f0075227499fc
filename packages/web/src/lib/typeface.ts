/** Who would wait longer reads in another typeface for this visit, rather than in none. */
const LONGEST_WAIT_MS = 300

/** The typeface comes with the page and usually before the scripts; text that is written after it never changes its shape. */
export const typefaceIsHere = (): Promise<unknown> =>
  Promise.race([
    document.fonts.load('1rem "Plus Jakarta Sans Variable"'),
    new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS)),
  ])
