import { PLANS } from '@siarin/contracts/plans'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { Link } from 'react-router'
import { settings } from '../../../lib/settings.ts'
import { articlePath } from '../article-path.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { FactsTable } from '../components/facts-table.tsx'
import { Note } from '../components/note.tsx'
import type { Section } from './section.ts'

const madeHours = (): string => PLANS.map(({ name, limits }) => `${limits.makingHours} jam di ${name}`).join(', ')

const FFMPEG_EXPORT = `ffmpeg -i masukan.mov \\
  -c:v libx264 -profile:v high -pix_fmt yuv420p -r 30 \\
  -b:v 4500k -maxrate 4500k -bufsize 9000k \\
  -g 60 -keyint_min 60 -sc_threshold 0 \\
  -c:a aac -ar 48000 -ac 2 -b:a 128k \\
  -movflags +faststart keluaran.mp4`

const anyFormat = (brand: string): Section => ({
  id: 'format-bebas',
  title: 'Upload saja dulu',
  body: (
    <>
      <p>
        MP4, MOV, MKV, WebM, AVI, TS, FLV, rekaman layar, rekaman HP yang miring, video tanpa suara: semuanya boleh.
        Ukuran file tidak dibatasi, hanya ruang akun Anda. Kalau ada yang perlu dibetulkan, {brand} melakukannya sekali
        saat upload, bukan terus-menerus selama siaran. Karena itu satu siaran hampir tidak memakan tenaga server, dan
        bisa berjalan berminggu-minggu.
      </p>
    </>
  ),
})

const preparation = (): Section => ({
  id: 'yang-terjadi',
  title: 'Yang terjadi setelah upload',
  body: (
    <>
      <ol>
        <li>
          <strong>Diperiksa.</strong> Isi file dibaca sampai paket terakhir, bukan hanya namanya. File yang bukan video
          ditolak dengan alasan yang jelas.
        </li>
        <li>
          <strong>Disiapkan bila perlu.</strong> Ada tiga kemungkinan, dan yang paling ringan selalu dipilih.
        </li>
        <li>
          <strong>Siap.</strong> Video bisa diputar di tab Lokal dan disiarkan.
        </li>
      </ol>
      <FactsTable
        caption="Tiga kemungkinan penyiapan"
        head={['Keadaan video', 'Yang dikerjakan', 'Lamanya']}
        rows={[
          ['Sudah cocok', 'Tidak ada; file Anda dipakai apa adanya', 'Beberapa detik'],
          ['Hanya suaranya belum cocok', 'Suara dibuat ulang, gambar disalin', 'Detik sampai satu menit'],
          ['Gambarnya belum cocok', 'Gambar dan suara dibuat ulang', 'Menit; sisa waktunya terlihat'],
        ]}
      />
      <p>
        Gambar dibuat ulang bila codec-nya bukan H.264, frame rate-nya berubah-ubah, warnanya HDR, gambarnya terputar
        atau interlaced, jarak keyframe-nya lebih dari 4 detik, bitrate-nya jauh di atas yang diterima platform, atau
        ukurannya di atas batas paket Anda. Suara dibuat ulang bila bukan AAC, lebih dari dua kanal, atau lebih panjang
        dari gambarnya. Video tanpa suara diberi jalur senyap, sebab beberapa platform memutus siaran tanpa suara.
      </p>
      <p>
        Lamanya gambar satu video yang dibuat ulang dibatasi paket, dihitung pada 1080p 30 fps: {madeHours()}. Gambar
        yang lebih besar dihitung lebih banyak. Suara yang dibuat ulang dihitung terpisah: 100 jam suara stereo 48 kHz
        dihitung sebagai 1 jam dari batas itu. Video yang sudah cocok tidak dibatasi.
      </p>
    </>
  ),
})

const exportSettings = (): Section => ({
  id: 'setelan-ekspor',
  title: 'Setelan ekspor yang langsung siap',
  body: (
    <>
      <p>Kalau Anda mengekspor dari CapCut, Premiere, atau DaVinci Resolve, pilih ini dan penyiapan dilewati:</p>
      <FactsTable
        caption="Setelan ekspor"
        head={['Bagian', 'Pilih']}
        rows={[
          ['Wadah', 'MP4'],
          ['Video', 'H.264, profil High, 8 bit (yuv420p), progressive, SDR'],
          ['Frame rate', 'Tetap (constant): 25, 30, atau 60 fps'],
          ['Keyframe', 'Setiap 2 detik'],
          ['Bitrate', '720p: 2,8 Mbps. 1080p: 4,5 Mbps. Untuk 60 fps: 4,2 dan 6 Mbps'],
          ['Audio', 'AAC-LC, 48 kHz, stereo, 128 kbps'],
        ]}
      />
      <p>Dengan ffmpeg, untuk 1080p 30 fps:</p>
      <CodeBlock label="Terminal" code={FFMPEG_EXPORT} />
    </>
  ),
})

const seamlessLoop = (): Section => ({
  id: 'sambungan-mulus',
  title: 'Sambungan yang tidak terasa',
  body: (
    <>
      <p>
        Dari sisi teknis sambungan ujung ke awal sudah dirapikan: suara tidak menumpuk dan gambar tidak tersendat.
        Sisanya soal isi:
      </p>
      <ul>
        <li>Akhiri dengan gambar yang mirip gambar pertama, atau beri jeda gelap setengah detik di kedua ujung.</li>
        <li>Turunkan suara menjelang akhir dan naikkan lagi di awal, supaya musik tidak terpotong.</li>
        <li>
          Makin panjang makin baik. Video satu jam terasa seperti siaran; video sepuluh detik terasa seperti gambar
          bergerak, dan beberapa platform tidak menyukainya.
        </li>
      </ul>
    </>
  ),
})

const playlists = (): Section => ({
  id: 'playlist',
  title: 'Beberapa video dalam satu siaran',
  body: (
    <>
      <p>
        Di <Link to="/fitur/playlist">Playlist</Link> Anda menyusun sampai 500 video, berurutan atau diacak lagi setiap
        putaran. Video yang sama boleh muncul beberapa kali. <strong>Siarkan</strong> membawanya ke tab{' '}
        <strong>Go</strong>, mulai dari video pertama atau dari yang Anda pilih; dengan{' '}
        <strong>Selesai setelah satu putaran</strong> siaran berakhir sendiri.
      </p>
      <ul>
        <li>
          Video yang ukuran, frame rate, dan format suaranya sama menyambung tanpa jeda. Yang berbeda ditandai di
          daftarnya; <strong>Samakan format</strong> membuat semuanya sama, sekali saja, dan video aslinya tidak
          berubah.
        </li>
        <li>
          Video yang ada di playlist tidak bisa dihapus. Keluarkan dulu dari playlistnya. Begitu juga video yang dipakai
          rekaman siaran: hapus dulu rekamannya.
        </li>
        <li>
          Selagi tayang, video boleh ditambah, dipindah, dan dikeluarkan. Perubahannya berlaku pada sambungan
          berikutnya; yang sedang diputar selesai dulu.
        </li>
        <li>
          Tab <strong>Live</strong> menulis apa yang diputar sekarang dan berikutnya, dan <strong>Lewati</strong>{' '}
          melompati yang berikutnya.
        </li>
        <li>Setelah gangguan, siaran melanjutkan video yang sama dari tempat terakhir.</li>
      </ul>
    </>
  ),
})

const branding = (): Section => ({
  id: 'branding',
  title: 'Logo Anda, dan versi tegak untuk TikTok',
  body: (
    <>
      <p>
        Di <Link to="/fitur/branding">Branding</Link> Anda menyimpan logo (PNG atau SVG, paling bagus dengan latar
        transparan), satu baris teks, dan warnanya. Lalu pilih video di tab <strong>Lokal</strong> dan tekan{' '}
        <strong>Buat versi dengan brand</strong>: setiap perubahan langsung terlihat pada gambar videonya, di letak dan
        ukuran yang sama dengan hasilnya.
      </p>
      <ul>
        <li>
          Logo: sudut, lebar, jarak dari tepi, dan kepekatan. Teks tampil di pita bawah gambar. Logo ada mulai paket
          Starter, teks mulai Creator Pro.
        </li>
        <li>
          <strong>Tegak 9:16</strong> membuat video mendatar pas di TikTok dan Instagram: dengan latar buram, latar
          warna, atau dipotong di bagian yang Anda pilih. Ini ada di semua paket.
        </li>
        <li>
          Versi dibuat satu kali di samping video, jadi siarannya tidak lebih berat. Video aslinya tidak berubah, dan
          satu video boleh punya beberapa versi.
        </li>
        <li>
          Begitu siap, versi itu bisa dipilih di tab <strong>Go</strong> di bawah <strong>Versi</strong>. Yang masih
          disiapkan terlihat di sana juga.
        </li>
        <li>Mengganti logo atau teks tidak mengubah versi yang sudah jadi. Buat versi baru untuk memakai yang baru.</li>
      </ul>
    </>
  ),
})

const largeFiles = (): Section => ({
  id: 'file-besar',
  title: 'File besar dan internet lambat',
  body: (
    <>
      <p>
        Upload bisa dilanjutkan. Koneksi yang putus disambung sendiri; browser yang tertutup dilanjutkan dengan memilih
        file yang sama. Pengecualiannya hanya bila filenya diubah sementara itu.
      </p>
      <p>
        Kalau videonya sudah ada di internet, tekan <strong>Ambil dari alamat</strong> di bawah kotak upload dan tempel
        alamat langsung ke filenya. Server yang mengambilnya, jadi kuota Anda tidak terpakai. Lewat program, pakai{' '}
        <Link to={`${articlePath('api')}#video`}>API</Link>.
      </p>
    </>
  ),
})

const storageRoom = (): Section => ({
  id: 'ruang',
  title: 'Ruang penyimpanan',
  body: (
    <>
      <p>
        Bilah di bawah kotak upload menunjukkan ruang yang terpakai. Setiap video dihitung satu kali: kalau videonya
        dibuat ulang, yang dihitung adalah yang lebih besar dari file asli Anda dan versi siap siarnya. Menghapus video
        mengembalikan ruang itu. Video yang sedang tayang tidak bisa dihapus: hentikan dulu siarannya.
      </p>
    </>
  ),
})

const refusals = (): Section => ({
  id: 'kalau-gagal',
  title: 'Kalau video ditolak',
  body: (
    <>
      <p>Setiap penolakan menyebutkan alasannya. Yang paling sering:</p>
      <FactsTable
        caption="Alasan penolakan"
        head={['Pesan', 'Yang bisa dilakukan']}
        rows={[
          [VIDEO_TEXTS.unreadable, 'Putar filenya di komputer Anda. Kalau tidak bisa diputar, ekspor ulang.'],
          [VIDEO_TEXTS.truncated, 'File terpotong saat disalin atau diunduh. Salin lagi dari sumbernya.'],
          [VIDEO_TEXTS.noVideo, 'Untuk siaran radio, gabungkan audio dengan satu gambar di editor video.'],
          [
            VIDEO_TEXTS.tooMuchSound,
            'Platform tidak memakai suara sebesar itu. Stereo 48 kHz sudah cukup untuk siaran.',
          ],
          [VIDEO_TEXTS.prepareFailed, 'Tekan Coba lagi pada videonya. Kalau tetap gagal, ekspor ke MP4.'],
        ]}
      />
      <Note>
        <p>
          Siarkan hanya video dan musik yang boleh Anda pakai. Platform memeriksa hak cipta sepanjang siaran, dan satu
          teguran bisa mematikan siaran langsung di kanal Anda.
        </p>
      </Note>
    </>
  ),
})

export const sections = (): readonly Section[] => {
  const { brand } = settings()
  return [
    anyFormat(brand),
    preparation(),
    exportSettings(),
    seamlessLoop(),
    playlists(),
    branding(),
    largeFiles(),
    storageRoom(),
    refusals(),
  ]
}
