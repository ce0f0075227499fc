import { ShieldCheck } from 'lucide-react'
import { Card } from '../../../components/card.tsx'

const TIPS = [
  'Token sama berharganya dengan password. Jangan kirim lewat chat, email, atau tangkapan layar.',
  'Tambahkan hanya akun milik Anda sendiri, atau yang pemiliknya sudah memberi izin.',
  'Hapus akun yang tidak dipakai lagi dari daftar ini.',
  'Kalau token pernah terlihat orang lain, cabut di platformnya lalu tambahkan yang baru.',
  'Periksa Riwayat / Aktivitas di menu Fitur. Ada login yang bukan Anda? Keluarkan perangkatnya di Profile.',
] as const

export function SecurityTips() {
  return (
    <Card className="p-6" aria-labelledby="tips-heading">
      <h2 id="tips-heading" className="flex items-center gap-2 text-base font-bold">
        <ShieldCheck aria-hidden size={20} strokeWidth={1.75} className="text-accent-ink" />
        Tips keamanan
      </h2>
      <ul className="mt-3 grid list-disc gap-2 pl-5 text-sm text-ink-soft marker:text-line-strong">
        {TIPS.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </Card>
  )
}
