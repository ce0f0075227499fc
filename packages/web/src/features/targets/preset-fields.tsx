import type { PlatformPreset } from '@siarin/contracts/platform-preset'
import { PLATFORM_PRESETS, presetOf } from '@siarin/contracts/platform-presets'
import { PLATFORMS } from '@siarin/contracts/platforms'
import { PRESET_TEXTS, placeWords, takesWords } from '@siarin/contracts/preset-texts'
import { Combobox } from '../../components/combobox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { CodeInput, Field, Select } from '../../components/field.tsx'

/** Those that the select has are not offered twice. */
const OPTIONS = PLATFORM_PRESETS.filter(({ id }) => !PLATFORMS.some((platform) => platform === id)).map(
  ({ id, name, region }) => ({ id, name, detail: region }),
)

const SEARCH_HINT = 'Alamat servernya terisi sendiri. Tidak ada di daftar? Lewati, dan isi alamat lengkap di bawah.'

/** Where its key is, where it is seen, and what it takes. */
function PresetFacts({ preset }: { preset: PlatformPreset }) {
  const { keyAt, note } = preset
  const takes = takesWords(preset)
  return (
    <div data-testid="preset-facts" className="grid gap-1 text-xs text-pretty text-ink-soft tabular-nums">
      <p className="text-ink">{keyAt}</p>
      <p>{placeWords(preset)}</p>
      {takes && <p>{takes}</p>}
      {note && <p>{note}</p>}
    </div>
  )
}

function ServerField({ preset, form, onChange }: { preset: PlatformPreset } & PresetFieldsProps) {
  const { servers, name } = preset
  const { server } = form
  const isGiven = servers.length > 0
  const address = (
    <Field
      id="server-address"
      label="Alamat server"
      hint={isGiven ? PRESET_TEXTS.serverGiven : PRESET_TEXTS.serverPerBroadcast(name)}
    >
      <CodeInput
        value={server}
        maxLength={1000}
        placeholder="rtmp://"
        onChange={(event) => onChange({ server: event.currentTarget.value })}
      />
    </Field>
  )
  return (
    <>
      {servers.length > 1 && (
        <Field id="server-place" label="Lokasi server">
          <Select
            value={servers.find(({ url }) => url === server)?.url ?? ''}
            onChange={(event) => onChange({ server: event.currentTarget.value })}
          >
            {!servers.some(({ url }) => url === server) && <option value="">Alamat lain</option>}
            {servers.map(({ place, url }) => (
              <option key={url} value={url}>
                {place}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {isGiven ? (
        <Disclosure label="Ubah alamat server" open={!servers.some(({ url }) => url === server)}>
          {address}
        </Disclosure>
      ) : (
        address
      )}
    </>
  )
}

interface PresetChoice {
  /** Which of the presets; empty: none. */
  readonly preset: string
  readonly server: string
}

interface PresetFieldsProps {
  form: PresetChoice
  onChange: (change: Partial<PresetChoice>) => void
}

/** Under 'Lainnya': a list of platforms, each with its servers. */
export function PresetFields({ form, onChange }: PresetFieldsProps) {
  const preset = presetOf(form.preset)
  return (
    <>
      <div className="grid gap-2">
        <Combobox
          id="preset"
          label="Layanan tujuan"
          hint={preset ? undefined : SEARCH_HINT}
          placeholder="Cari Twitch, Kick, Shopee…"
          nothingFound="Tidak ada yang cocok. Isi alamat lengkapnya di bawah."
          options={OPTIONS}
          value={form.preset}
          onPick={(id) => onChange({ preset: id })}
        />
        {preset && <PresetFacts preset={preset} />}
      </div>
      {preset && <ServerField key={preset.id} preset={preset} form={form} onChange={onChange} />}
    </>
  )
}
