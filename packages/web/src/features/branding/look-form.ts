import {
  type BrandKit,
  DEFAULT_COLOURS,
  type FrameLook,
  isLevelWithin,
  type LogoLook,
  type Look,
  type LowerThirdLook,
} from '@siarin/contracts/branding'
import { lowerThirdPlace, type Size } from '@siarin/contracts/branding-places'

/** What the dialog asks for. What is switched off is kept, for a person who switches it on again. */
export interface LookForm {
  readonly shape: 'own' | 'upright'
  readonly frame: FrameLook
  readonly withLogo: boolean
  readonly logo: LogoLook
  readonly withText: boolean
  readonly lowerThird: LowerThirdLook
}

type Kit = Pick<BrandKit, 'logo' | 'text' | 'allows'>

export const mayLogo = ({ logo, allows }: Kit): boolean => logo !== null && isLevelWithin('logo', allows)
const mayText = ({ text, allows }: Kit): boolean => text !== '' && isLevelWithin('full', allows)

/** As large as most want it. */
export const logoAt = (corner: LogoLook['corner']): LogoLook => ({ corner, size: 15, margin: 3, opacity: 100 })

/** A person who has a logo came for it. */
export const newLookForm = (shape: LookForm['shape']): LookForm => ({
  shape,
  frame: { shape: '9:16', fit: 'blur', colour: DEFAULT_COLOURS.background, focus: 50 },
  withLogo: true,
  logo: logoAt('tr'),
  withText: false,
  lowerThird: { align: 'left', size: 5, margin: 6, opacity: 85 },
})

/** What is put on the picture; null: nothing would be. What the kit or the plan does not have is left out. */
export function lookOf(form: LookForm, kit: Kit): Look | null {
  const look = {
    logo: form.withLogo && mayLogo(kit) ? form.logo : null,
    lowerThird: form.withText && mayText(kit) ? form.lowerThird : null,
    frame: form.shape === 'upright' ? form.frame : null,
  }
  return look.logo || look.lowerThird || look.frame ? look : null
}

/** The picture that is made, in proportions alone: the server decides how many pixels it has. */
export const UPRIGHT: Size = { width: 1080, height: 1920 }

export const madeSize = (video: Size, frame: FrameLook | null): Size => (frame ? UPRIGHT : video)

/** Whether the line has to have smaller letters than were asked for. */
export const isLineSmaller = (look: Look | null, { text }: Pick<BrandKit, 'text'>, video: Size): boolean =>
  Boolean(look?.lowerThird && lowerThirdPlace(look.lowerThird, madeSize(video, look.frame), text).isSmaller)

/** Where the whole video stands in a picture of another shape, in the middle of it. */
export function innerSize(video: Size, picture: Size): Size {
  const scale = Math.min(picture.width / video.width, picture.height / video.height)
  return { width: video.width * scale, height: video.height * scale }
}

/** Which way a crop can be moved; null: it has the picture's shape already. */
export function cropWay(video: Size): 'sideways' | 'upwards' | null {
  const [own, wanted] = [video.width / video.height, UPRIGHT.width / UPRIGHT.height]
  if (Math.abs(own - wanted) < 0.005) return null
  return own > wanted ? 'sideways' : 'upwards'
}
