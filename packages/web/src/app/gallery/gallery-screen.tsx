import { PLATFORMS } from '@siarin/contracts/platforms'
import { Copy, Film, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Bar } from '../../components/bar.tsx'
import { Button } from '../../components/button.tsx'
import { Card, CardHeading } from '../../components/card.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Field, Input, Select, Textarea } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { PlatformBadge, PlatformMark } from '../../components/platform-mark.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Loading, Skeleton } from '../../components/skeleton.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../components/tabs.tsx'
import { TallyChip } from '../../components/tally-chip.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { askConfirmation, showAlert } from '../../lib/dialogs.ts'
import { notifySuccess, notifyWarning } from '../../lib/notify.ts'

const WAVE = Array.from({ length: 60 }, (_, index) => 60 + 25 * Math.sin(index / 4) + 10 * Math.sin(index))

function Sample({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="p-6">
      <CardHeading title={title} />
      <div className="mt-4 flex flex-wrap items-center gap-3">{children}</div>
    </Card>
  )
}

function Buttons() {
  return (
    <Sample title="Button">
      <Button>Mulai siaran</Button>
      <Button look="secondary">Ambil dari alamat</Button>
      <Button look="danger">Hentikan</Button>
      <Button look="quiet">Batal</Button>
      <Button size="small">Kecil</Button>
      <Button busy disabled>
        Memproses...
      </Button>
      <Button look="secondary" disabled>
        Belum bisa
      </Button>
      <Tooltip text="Salin ke papan klip">
        <Button look="secondary" size="icon" aria-label="Salin">
          <Copy aria-hidden size={18} strokeWidth={1.75} />
        </Button>
      </Tooltip>
      <Tooltip text="Hapus">
        <Button look="quiet" size="icon" aria-label="Hapus">
          <Trash2 aria-hidden size={18} strokeWidth={1.75} />
        </Button>
      </Tooltip>
    </Sample>
  )
}

function Fields() {
  return (
    <Card className="p-6">
      <CardHeading title="Field" lead="Label di atas, petunjuk atau kesalahan di bawah." />
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        <Field id="ui-name" label="Account Name" hint="Nama yang Anda kenali.">
          <Input placeholder="Kanal utama" />
        </Field>
        <Field id="ui-fault" label="Alamat video" fault="Isi alamat video yang diawali http:// atau https://.">
          <Input defaultValue="ftp://contoh" />
        </Field>
        <Field id="ui-select" label="Platform">
          <Select>
            <option>YouTube</option>
            <option>TikTok</option>
          </Select>
        </Field>
        <Field id="ui-readonly" label="API key">
          <Input readOnly defaultValue="siarin_contoh_saja" className="font-mono" />
        </Field>
        <Field id="ui-text" label="Catatan">
          <Textarea placeholder="Tulis di sini" />
        </Field>
      </div>
    </Card>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'sheet' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Sample title="Dialog, sheet, toast">
      <Button look="secondary" onClick={() => setOpen('dialog')}>
        Dialog
      </Button>
      <Button look="secondary" onClick={() => setOpen('sheet')}>
        Sheet
      </Button>
      <Button
        look="secondary"
        onClick={() => void askConfirmation('Yakin mau hapus video "senja.mp4"?', 'Tidak bisa dibatalkan.', 'Hapus')}
      >
        Konfirmasi
      </Button>
      <Button look="secondary" onClick={() => void showAlert('Login Failed', 'Email or password is wrong.')}>
        Alert
      </Button>
      <Button look="secondary" onClick={() => notifySuccess('Login Successful!')}>
        Toast
      </Button>
      <Button look="secondary" onClick={() => notifyWarning('Session Ended', 'Your session has expired')}>
        Peringatan
      </Button>
      <Dialog open={open === 'dialog'} onOpenChange={close} title="Ganti video" description="Diganti di akhir putaran.">
        <Button className="w-full" onClick={close}>
          Ganti
        </Button>
      </Dialog>
      <Sheet open={open === 'sheet'} onClose={close} label="Contoh sheet">
        <p className="px-4 pb-4">Isi sheet.</p>
      </Sheet>
    </Sample>
  )
}

function States() {
  const [tab, setTab] = useState('kosong')
  return (
    <Card>
      <Tabs value={tab} onValueChange={setTab}>
        <TabList aria-label="Keadaan">
          <Tab value="kosong">Kosong</Tab>
          <Tab value="gagal">Gagal</Tab>
          <Tab value="memuat">Memuat</Tab>
        </TabList>
        <TabPanel value="kosong">
          <EmptyState
            icon={Film}
            text="Anda belum mengupload video."
            action={<Button size="small">Pilih video</Button>}
          />
        </TabPanel>
        <TabPanel value="gagal">
          <ErrorState text="Gagal mengambil data live stream." onRetry={() => setTab('memuat')} />
        </TabPanel>
        <TabPanel value="memuat">
          <Loading className="grid gap-3 p-4">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </Loading>
        </TabPanel>
      </Tabs>
    </Card>
  )
}

export function GalleryScreen() {
  return (
    <Page title="Komponen" lead="Semua bagian tampilan dalam semua keadaannya." action={<Button>Aksi utama</Button>}>
      <div className="grid gap-6">
        <Buttons />
        <Fields />
        <Sample title="Badge, tally, platform">
          <Badge>Antre</Badge>
          <Badge tone="accent">Berhasil</Badge>
          <Badge tone="warn">Menyambung ulang</Badge>
          <Badge tone="on-air">Tayang</Badge>
          <TallyChip live={3} waiting={0} kbps={8100} />
          <TallyChip live={2} waiting={1} kbps={5400} />
          {PLATFORMS.map((platform) => (
            <PlatformBadge key={platform} platform={platform} />
          ))}
          <PlatformMark platform="youtube" className="size-8" />
        </Sample>
        <Sample title="Bar, sparkline">
          <Bar percent={43} label="Upload" className="h-1.5 w-48" />
          <Bar percent={94} warning className="h-1.5 w-48" />
          <Sparkline samples={WAVE} />
          <Sparkline samples={WAVE} top={100} className="h-10 w-60" />
        </Sample>
        <Overlays />
        <States />
      </div>
    </Page>
  )
}
