import type { BrandKit, FrameLook, Look } from '@siarin/contracts/branding'
import { type Box, logoBox, lowerThirdPlace, type Size } from '@siarin/contracts/branding-places'
import { Film } from 'lucide-react'
import type { CSSProperties } from 'react'
import { logoUrl } from '../api/brand-kit.ts'
import { innerSize, madeSize } from '../look-form.ts'

interface BrandPictureProps {
  /** The address of the video's picture; null: it has none. */
  picture: string | null
  video: Size
  look: Look | null
  kit: BrandKit
  /** What it shows, for who does not see it. */
  label: string
}

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(3)}%`

const placed = ({ x, y, width, height }: Box, picture: Size): CSSProperties => ({
  left: percent(x, picture.width),
  top: percent(y, picture.height),
  width: percent(width, picture.width),
  height: percent(height, picture.height),
})

/** A share of the made picture's width: as soft as what the server blurs. */
const BLUR = 'blur(5cqw)'

function Still({ src, style, className }: { src: string | null; style?: CSSProperties; className: string }) {
  if (src !== null) return <img src={src} alt="" style={style} className={className} />
  return (
    <span style={style} className={`grid place-items-center bg-[#3f4650] text-white ${className}`}>
      <Film aria-hidden size={28} strokeWidth={1.75} />
    </span>
  )
}

/** The video in a picture of another shape, as `FrameLook` says. */
function Framed({ src, frame, video, made }: { src: string | null; frame: FrameLook; video: Size; made: Size }) {
  if (frame.fit === 'crop') {
    const focus = `${frame.focus}%`
    return (
      <Still
        src={src}
        style={{ objectPosition: `${focus} ${focus}` }}
        className="absolute inset-0 size-full object-cover"
      />
    )
  }
  const inner = innerSize(video, made)
  const middle = { ...inner, x: (made.width - inner.width) / 2, y: (made.height - inner.height) / 2 }
  return (
    <>
      {frame.fit === 'bars' ? (
        <span className="absolute inset-0" style={{ backgroundColor: frame.colour }} />
      ) : (
        <>
          <Still src={src} className="absolute inset-0 size-full object-cover" />
          {/* It blurs what lies behind it: a blurred picture would fade at its own edges. */}
          <span className="absolute inset-0 rounded-[8px]" data-testid="brand-blur" style={{ backdropFilter: BLUR }} />
        </>
      )}
      <Still src={src} style={placed(middle, made)} className="absolute object-fill" />
    </>
  )
}

const JUSTIFY = { left: 'flex-start', center: 'center', right: 'flex-end' } as const
/** The server's letters; a system without them has others that are as wide. */
const LETTERS = '"DejaVu Sans", Verdana, sans-serif'

function LowerThird({ look, kit, made }: { look: NonNullable<Look['lowerThird']>; kit: BrandKit; made: Size }) {
  const { band, fontSize, gap } = lowerThirdPlace(look, made, kit.text)
  const { text, background } = kit.colours
  const ofWidth = (length: number): string => `${((length / made.width) * 100).toFixed(3)}cqw`
  return (
    <span
      className="absolute flex items-center overflow-hidden"
      style={{ ...placed(band, made), justifyContent: JUSTIFY[look.align] }}
    >
      <span className="absolute inset-0" style={{ backgroundColor: background, opacity: look.opacity / 100 }} />
      <span
        dir="auto"
        data-testid="brand-line"
        className="relative leading-none font-bold whitespace-pre"
        style={{ color: text, fontFamily: LETTERS, fontSize: ofWidth(fontSize), marginInline: ofWidth(gap) }}
      >
        {kit.text}
      </span>
    </span>
  )
}

/** What is made, at once: places and sizes are counted as the server counts them. */
export function BrandPicture({ picture, video, look, kit, label }: BrandPictureProps) {
  const frame = look?.frame ?? null
  const made = madeSize(video, frame)
  return (
    <div
      role="img"
      aria-label={label}
      data-testid="brand-picture"
      className="@container relative mx-auto max-w-full overflow-hidden rounded-[8px] bg-black [--tallest:min(22rem,38dvh)] md:[--tallest:min(32rem,62dvh)]"
      style={{
        aspectRatio: `${made.width} / ${made.height}`,
        width: `min(100%, calc(var(--tallest) * ${(made.width / made.height).toFixed(4)}))`,
      }}
    >
      {frame ? (
        <Framed src={picture} frame={frame} video={video} made={made} />
      ) : (
        <Still src={picture} className="absolute inset-0 size-full object-fill" />
      )}
      {look?.lowerThird && <LowerThird look={look.lowerThird} kit={kit} made={made} />}
      {look?.logo && kit.logo && (
        <img
          src={logoUrl(kit.logo)}
          alt=""
          data-testid="brand-logo"
          className="absolute object-fill"
          style={{ ...placed(logoBox(look.logo, made, kit.logo), made), opacity: look.logo.opacity / 100 }}
        />
      )}
    </div>
  )
}
