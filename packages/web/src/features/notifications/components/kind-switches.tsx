import type { AlertChannelKind } from '@siarin/contracts/alert-kinds'
import { isImportantKind } from '@siarin/contracts/alert-kinds'
import { ALERT_KIND_LABELS } from '@siarin/contracts/alert-texts'
import type { SwitchableKind } from '@siarin/contracts/alerts'
import { Fragment } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { classes } from '../../../lib/classes.ts'
import { usePhone } from '../../../lib/use-media.ts'
import { KIND_DETAILS, KIND_GROUPS } from '../alert-words.ts'
import { PLACES, type Place, type SettingsForm } from '../settings-form.ts'

const PLACE_LABELS: Record<Place, string> = {
  app: 'Aplikasi',
  telegram: 'Telegram',
  discord: 'Discord',
  push: 'Browser',
  email: 'Email',
}

interface KindSwitchesProps {
  form: SettingsForm
  /** The ways that are connected: the others can be chosen for later. */
  connected: ReadonlySet<AlertChannelKind>
  onSwitch: (kind: SwitchableKind, place: Place, on: boolean) => void
}

function KindName({ kind }: { kind: SwitchableKind }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-semibold">
        {ALERT_KIND_LABELS[kind]}
        {isImportantKind(kind) && <Badge>Penting</Badge>}
      </span>
      <span className="mt-0.5 block text-xs font-normal text-pretty text-ink-soft">{KIND_DETAILS[kind]}</span>
    </>
  )
}

const isConnected = (connected: ReadonlySet<AlertChannelKind>, place: Place): boolean =>
  place === 'app' || connected.has(place)

function KindTable({ form, connected, onSwitch }: KindSwitchesProps) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">Kabar apa yang dikirim ke mana</caption>
      <thead>
        <tr className="border-b border-line text-xs text-ink-soft">
          <th scope="col" className="px-6 py-3 font-semibold">
            Kabar
          </th>
          {PLACES.map((place) => (
            <th key={place} scope="col" className="w-26 px-2 py-3 text-center align-top font-semibold">
              {PLACE_LABELS[place]}
              {!isConnected(connected, place) && <span className="block font-normal">belum terhubung</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {KIND_GROUPS.map(({ label, kinds }) => (
          <Fragment key={label}>
            <tr className="bg-ground">
              <th
                scope="colgroup"
                colSpan={PLACES.length + 1}
                className="px-6 py-2 text-xs font-semibold text-ink-soft"
              >
                {label}
              </th>
            </tr>
            {kinds.map((kind) => (
              <tr key={kind} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-6 py-3">
                  <KindName kind={kind} />
                </th>
                {PLACES.map((place) => (
                  <td key={place} className="p-0 text-center">
                    <label className="inline-grid size-11 cursor-pointer place-items-center">
                      <span className="sr-only">
                        {ALERT_KIND_LABELS[kind]}: {PLACE_LABELS[place]}
                      </span>
                      <input
                        type="checkbox"
                        className={classes(
                          'size-5 accent-(--color-accent)',
                          !isConnected(connected, place) && 'opacity-50',
                        )}
                        checked={form.kinds[kind][place]}
                        onChange={(event) => onSwitch(kind, place, event.currentTarget.checked)}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

const CHIP =
  'relative inline-flex min-h-11 cursor-pointer items-center rounded-full border border-line-strong px-3.5 text-xs font-semibold text-ink-soft has-checked:border-accent-line has-checked:bg-accent-wash has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink'

/** Chosen for later: no colour, since nothing goes there yet. */
const UNCONNECTED =
  'gap-1.5 border-dashed has-checked:border-line-strong! has-checked:bg-transparent! has-checked:text-ink-soft!'

/** A phone has no room for a table of six columns. */
function KindList({ form, connected, onSwitch }: KindSwitchesProps) {
  return (
    <div className="divide-y divide-line">
      {KIND_GROUPS.map(({ label, kinds }) => (
        <section key={label} aria-label={label}>
          <h3 className="bg-ground px-4 py-2 text-xs font-semibold text-ink-soft">{label}</h3>
          {kinds.map((kind) => (
            <fieldset key={kind} className="grid gap-2 border-t border-line px-4 py-3">
              <legend className="float-left">
                <KindName kind={kind} />
              </legend>
              <div className="flex flex-wrap gap-2">
                {PLACES.map((place) => (
                  <label key={place} className={classes(CHIP, !isConnected(connected, place) && UNCONNECTED)}>
                    <input
                      type="checkbox"
                      className="sr-only"
                      aria-label={`${ALERT_KIND_LABELS[kind]}: ${PLACE_LABELS[place]}`}
                      checked={form.kinds[kind][place]}
                      onChange={(event) => onSwitch(kind, place, event.currentTarget.checked)}
                    />
                    {PLACE_LABELS[place]}
                    {!isConnected(connected, place) && <span className="font-normal">belum terhubung</span>}
                  </label>
                ))}
              </div>
            </fieldset>
          ))}
        </section>
      ))}
    </div>
  )
}

export function KindSwitches(props: KindSwitchesProps) {
  return usePhone() ? <KindList {...props} /> : <KindTable {...props} />
}
