import { z } from 'zod'
import { Answer } from './answers.ts'
import { BRANDING_TEXTS as TEXTS } from './branding-texts.ts'

/*
 * By session or API key; all of one's own workspace.
 *
 * | call | body | answer |
 * |---|---|---|
 * | GET    /fitur/branding         |                                               | BrandKitAnswer |
 * | PUT    /fitur/branding         | ChangeBrandKitBody                            | BrandKitAnswer |
 * | PUT    /fitur/branding/logo    | the file itself, image/png or image/svg+xml   | BrandKitAnswer |
 * | GET    /fitur/branding/logo    |                                               | image/png |
 * | DELETE /fitur/branding/logo    |                                               | BrandKitAnswer |
 * | POST   /fitur/video/rendition/:filename | OrderRenditionBody with `look`       | RenditionAnswer |
 *
 * Refusals: plan_limit (reasonCode 'plan-branding'), invalid_input, payload_too_large, unsupported_media_type, not_found, rate_limited.
 */

export const BRANDING_PATH = '/fitur/branding'
export const LOGO_PATH = '/fitur/branding/logo'

export const LOGO_MAX_BYTES = 2 * 1024 ** 2
/** Neither side of the picture may be longer. */
export const LOGO_MAX_SIDE = 4096
export const BRAND_TEXT_MAX = 80

/** none; logo: a logo of one's own; full: a line of text as well. Another shape of the picture every plan has. */
export const BRANDING_LEVELS = ['none', 'logo', 'full'] as const
export type BrandingLevel = (typeof BRANDING_LEVELS)[number]

/** Answers carry it too: those can be read again only without a transformation. */
const Colour = z
  .string({ error: TEXTS.colourInvalid })
  .regex(/^#[\da-f]{6}$/i, TEXTS.colourInvalid)
  .toLowerCase()

export const BrandColours = z.object({ text: Colour, background: Colour }, { error: TEXTS.colourInvalid })
export type BrandColours = z.infer<typeof BrandColours>

export const DEFAULT_COLOURS: BrandColours = { text: '#ffffff', background: '#111827' }

export const BrandKit = z.object({
  /** `version` changes with its content: the address of its picture gets it as a query. */
  logo: z.object({ width: z.number().int(), height: z.number().int(), version: z.string() }).nullable(),
  /** Empty: there is none. */
  text: z.string(),
  colours: BrandColours,
  /** What the plan allows now. */
  allows: z.enum(BRANDING_LEVELS),
})
export type BrandKit = z.infer<typeof BrandKit>

export const BrandKitAnswer = Answer.extend({ kit: BrandKit })
export type BrandKitAnswer = z.infer<typeof BrandKitAnswer>

/** What is not named stays as it is. */
export const ChangeBrandKitBody = z.object({
  text: z
    .string({ error: TEXTS.textInvalid })
    .trim()
    .max(BRAND_TEXT_MAX, TEXTS.textTooLong(BRAND_TEXT_MAX))
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed(), TEXTS.textTooLong(BRAND_TEXT_MAX))
    .optional(),
  colours: BrandColours.optional(),
})
export type ChangeBrandKitBody = z.infer<typeof ChangeBrandKitBody>

const percent = (least: number, most: number, error: string) =>
  z.number({ error }).int(error).min(least, error).max(most, error)

export const LOGO_SIZE = { least: 5, most: 40 }
export const LOGO_MARGIN_MAX = 10
export const LOGO_OPACITY_LEAST = 10

/** Where the logo stands. Sizes are per cent of the picture's width. */
export const LogoLook = z.object(
  {
    corner: z.enum(['tl', 'tr', 'bl', 'br'], { error: TEXTS.cornerInvalid }),
    size: percent(LOGO_SIZE.least, LOGO_SIZE.most, TEXTS.sizeInvalid(LOGO_SIZE.least, LOGO_SIZE.most)),
    margin: percent(0, LOGO_MARGIN_MAX, TEXTS.marginInvalid(LOGO_MARGIN_MAX)),
    opacity: percent(LOGO_OPACITY_LEAST, 100, TEXTS.opacityInvalid(LOGO_OPACITY_LEAST)),
  },
  { error: TEXTS.lookInvalid },
)
export type LogoLook = z.infer<typeof LogoLook>

export const LOWER_THIRD_SIZE = { least: 3, most: 10 }
export const LOWER_THIRD_MARGIN_MAX = 20

/** The kit's line of text on a band of its background colour, across the whole picture. */
export const LowerThirdLook = z.object(
  {
    align: z.enum(['left', 'center', 'right'], { error: TEXTS.alignInvalid }),
    /** The size of the letters, in per cent of the picture's shorter side; a long line gets smaller ones. */
    size: percent(
      LOWER_THIRD_SIZE.least,
      LOWER_THIRD_SIZE.most,
      TEXTS.textSizeInvalid(LOWER_THIRD_SIZE.least, LOWER_THIRD_SIZE.most),
    ),
    /** Below the band, in per cent of the picture's height. */
    margin: percent(0, LOWER_THIRD_MARGIN_MAX, TEXTS.marginInvalid(LOWER_THIRD_MARGIN_MAX)),
    /** The opacity of the band; the letters are always solid. */
    opacity: percent(0, 100, TEXTS.opacityInvalid(0)),
  },
  { error: TEXTS.lookInvalid },
)
export type LowerThirdLook = z.infer<typeof LowerThirdLook>

/** The video in a picture of another shape. */
export const FrameLook = z.object(
  {
    shape: z.literal('9:16', { error: TEXTS.frameInvalid }),
    /** blur: around it stands the video itself, blurred. bars: one colour. crop: as much of it as fills the picture. */
    fit: z.enum(['blur', 'bars', 'crop'], { error: TEXTS.frameInvalid }),
    /** The colour of the bars. */
    colour: Colour.default('#000000'),
    /** Which part is kept by a crop: 0 is the left or the upper end, 50 the middle. */
    focus: percent(0, 100, TEXTS.focusInvalid).default(50),
  },
  { error: TEXTS.frameInvalid },
)
export type FrameLook = z.infer<typeof FrameLook>

/** How a brand is placed on a picture. */
export const Look = z
  .object(
    {
      logo: LogoLook.nullable().default(null),
      lowerThird: LowerThirdLook.nullable().default(null),
      frame: FrameLook.nullable().default(null),
    },
    { error: TEXTS.lookInvalid },
  )
  .refine(({ logo, lowerThird, frame }) => logo || lowerThird || frame, { error: TEXTS.lookEmpty })
export type Look = z.infer<typeof Look>

const Placed = { size: z.number(), margin: z.number(), opacity: z.number() }

/** A look in an answer: complete, with nothing to fill in. */
export const LookAnswered = z.object({
  logo: LogoLook.extend(Placed).nullable(),
  lowerThird: LowerThirdLook.extend(Placed).nullable(),
  frame: FrameLook.extend({ colour: z.string(), focus: z.number() }).nullable(),
})

/** What a plan has to allow for it. */
export const levelOf = ({ logo, lowerThird }: Look): BrandingLevel => (lowerThird ? 'full' : logo ? 'logo' : 'none')

export const isLevelWithin = (needed: BrandingLevel, allowed: BrandingLevel): boolean =>
  BRANDING_LEVELS.indexOf(needed) <= BRANDING_LEVELS.indexOf(allowed)

/** 'logo kanan atas · teks · 9:16 latar buram' */
export const lookWords = ({ logo, lowerThird, frame }: Look): string =>
  [logo && TEXTS.logoAt[logo.corner], lowerThird && TEXTS.withText, frame && TEXTS.fits[frame.fit]]
    .filter(Boolean)
    .join(' · ')
