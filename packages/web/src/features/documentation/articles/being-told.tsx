import { Link } from 'react-router'
import { Note } from '../components/note.tsx'
import type { Section } from './section.ts'

export const beingTold = (): Section => ({
  id: 'notifikasi',
  title: 'Dikabari saat ada gangguan',
  body: (
    <>
      <p>
        Lonceng di atas setiap layar mencatat yang perlu Anda ketahui: siaran yang gagal atau terputus lebih dari
        semenit, jadwal yang terlewat, video yang gagal disiapkan, ruang yang hampir penuh, dan paket yang hampir habis.
        Supaya juga sampai saat Anda tidak melihat layar, hubungkan salurannya di{' '}
        <Link to="/fitur/notifikasi">Notifikasi</Link>:
      </p>
      <ul>
        <li>
          <strong>Telegram.</strong> Tekan <em>Hubungkan</em>, buka tautan atau pindai gambarnya, lalu tekan{' '}
          <em>Mulai</em>. Bisa juga ke grup, dan lewat bot Anda sendiri.
        </li>
        <li>
          <strong>Discord.</strong> Di setelan kanal, buka Integrasi, buat webhook, lalu tempel alamatnya.
        </li>
        <li>
          <strong>Notifikasi browser.</strong> Aktifkan di setiap perangkat yang ingin dikabari. Di iPhone dan iPad,
          tambahkan dulu situs ini ke Layar Utama.
        </li>
        <li>
          <strong>Email.</strong> Ke alamat akun Anda, setelah diverifikasi.
        </li>
      </ul>
      <p>
        Tombol <em>Kirim tes</em> menunjukkan jawaban dari seberang. Di layar yang sama Anda memilih kabar apa dikirim
        ke mana, sejak kapan gangguan dikabarkan, dan jam tenang. Satu gangguan berarti satu pesan, dan satu lagi saat
        siaran tayang kembali, beserta lamanya. Saluran yang sudah tidak ada, misalnya bot yang diblokir, dimatikan
        sendiri dan dikatakan di lonceng.
      </p>
      <Note>
        <p>
          Ingin program Anda sendiri yang dikabari? Pakai <Link to="/fitur/webhook">Webhook</Link>: kejadian pilihan
          Anda dikirim ke alamat Anda, ditandatangani menurut Standard Webhooks, dan diulang sampai sehari bila
          penerimanya sedang tidak menjawab.
        </p>
      </Note>
    </>
  ),
})
