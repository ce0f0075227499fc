import { Link } from 'react-router'
import { settings } from '../../../lib/settings.ts'
import { articlePath } from '../article-path.ts'
import { FactsTable } from '../components/facts-table.tsx'
import { Note } from '../components/note.tsx'
import { beingTold } from './being-told.tsx'
import { recording } from './recording.tsx'
import type { Section } from './section.ts'

const requirements = (brand: string): Section => ({
  id: 'yang-dibutuhkan',
  title: 'Yang Anda butuhkan',
  body: (
    <>
      <p>Tiga hal saja, dan tidak ada yang perlu dipasang di komputer Anda:</p>
      <ul>
        <li>
          <strong>Satu file video.</strong> Format dan ukurannya bebas; apa yang belum cocok untuk siaran disiapkan oleh{' '}
          {brand}.
        </li>
        <li>
          <strong>Alamat Gmail</strong> untuk membuat akun.
        </li>
        <li>
          <strong>Stream key</strong> dari platform tujuan, misalnya YouTube. Cara mengambilnya ada di langkah 3.
        </li>
      </ul>
      <Note>
        <p>
          Belum pernah live di YouTube? Nyalakan izin siaran langsung di YouTube Studio sekarang juga. YouTube bisa
          butuh sampai 24 jam untuk mengaktifkannya, dan tidak ada layanan yang bisa mempercepatnya.
        </p>
      </Note>
    </>
  ),
})

const newAccount = (trialDays: number): Section => ({
  id: 'buat-akun',
  title: '1. Buat akun',
  body: (
    <>
      <p>
        Buka <Link to="/register">Register</Link>, isi username (minimal 3 karakter), alamat Gmail, dan password
        (minimal 6 karakter), lalu <Link to="/login">Login</Link>. Masa coba berlaku {trialDays} hari sejak pendaftaran,
        tanpa kartu kredit.
      </p>
    </>
  ),
})

const videoUpload = (): Section => ({
  id: 'upload-video',
  title: '2. Upload video',
  body: (
    <>
      <p>
        Buka <strong>Fitur → Live</strong>, lalu seret file video ke kotak upload. Kalau internet putus di tengah jalan,
        upload dilanjutkan sendiri dari tempat terakhir. Kalau halamannya tertutup, buka lagi dan pilih file yang sama:
        yang sudah terkirim tidak dikirim ulang.
      </p>
      <p>
        Setelah terkirim, video diperiksa dan disiapkan sekali saja. Di tab <strong>Lokal</strong> Anda melihat
        keadaannya, misalnya <em>Diproses 43%</em>, dengan perkiraan sisa waktunya. Video yang sudah cocok langsung
        siap. Apa yang dikerjakan di sana dijelaskan dalam{' '}
        <Link to={articlePath('menyiapkan-video')}>Menyiapkan video</Link>.
      </p>
    </>
  ),
})

const streamKey = (): Section => ({
  id: 'ambil-stream-key',
  title: '3. Ambil stream key',
  body: (
    <>
      <p>
        Stream key adalah alamat rahasia ke kanal Anda. Di YouTube: buka YouTube Studio, tekan{' '}
        <strong>Buat → Mulai live</strong>, pilih <strong>Streaming</strong>, lalu salin{' '}
        <strong>Kunci streaming</strong>. Platform lain dijelaskan dalam{' '}
        <Link to={articlePath('kunci-dan-platform')}>Stream key dan platform</Link>.
      </p>
      <Note warning>
        <p>Siapa pun yang memegang stream key bisa siaran di kanal Anda. Jangan kirim ke orang lain.</p>
      </Note>
    </>
  ),
})

const broadcastStart = (): Section => ({
  id: 'mulai-siaran',
  title: '4. Mulai siaran',
  body: (
    <ol>
      <li>
        Di tab <strong>Lokal</strong>, klik videonya. Ia diputar di pemutar, supaya Anda yakin itu video yang benar.
      </li>
      <li>
        Buka tab <strong>Go</strong>. Isi judul siaran bila perlu, pilih platform, lalu tempel stream key. Key yang
        sudah Anda simpan sebagai tujuan cukup dicentang.
      </li>
      <li>
        Tekan <strong>Go Live</strong>. Kalau videonya masih disiapkan, nyalakan <strong>Siarkan begitu siap</strong>:
        siaran dimulai sendiri begitu videonya siap.
      </li>
    </ol>
  ),
})

const onAirCheck = (): Section => ({
  id: 'pastikan-tayang',
  title: '5. Pastikan tayang',
  body: (
    <>
      <p>
        Tab <strong>Live</strong> memperlihatkan setiap siaran: berapa lama sudah tayang, berapa bitrate-nya, dan
        keadaannya dalam satu kata. <em>Tayang</em> berarti data sungguh diterima platform, bukan sekadar program yang
        berjalan.
      </p>
      <FactsTable
        caption="Keadaan siaran"
        head={['Keadaan', 'Artinya']}
        rows={[
          ['Menunggu video', 'Videonya masih disiapkan; siaran dimulai sendiri begitu siap.'],
          ['Antre', 'Permintaan diterima dan menunggu giliran, biasanya kurang dari sedetik.'],
          ['Memulai', 'Sedang menghubungi platform.'],
          ['Tayang', 'Platform menerima data. Lampu merah menyala.'],
          ['Menyambung ulang', 'Sambungan terputus dan dicoba lagi sendiri; sebabnya tertulis di bawahnya.'],
          ['Selesai', 'Anda menghentikannya, videonya habis, atau jadwalnya berakhir.'],
          ['Dihentikan', 'Paket berakhir atau administrator menghentikannya; alasannya tertulis.'],
          ['Gagal', 'Siaran tidak bisa diteruskan; alasannya tertulis.'],
        ]}
      />
      <p>
        Selama ada yang tayang, lampu merah juga terlihat di atas setiap halaman dan di judul tab browser. Sekarang Anda
        boleh menutup laptop: siaran berjalan di server, bukan di komputer Anda.
      </p>
    </>
  ),
})

const swapAndStop = (): Section => ({
  id: 'ganti-atau-hentikan',
  title: '6. Ganti video atau hentikan',
  body: (
    <>
      <p>
        Video bisa diganti tanpa memutus siaran: tekan <strong>Ganti video</strong> pada siaran yang tayang, lalu pilih
        video lain. Kalau ukuran, frame rate, dan format suara kedua video sama, video baru masuk begitu putaran yang
        sekarang selesai, tanpa jeda. Kalau berbeda, siaran langsung disambung ulang dengan video baru; jedanya sekitar
        dua detik.
      </p>
      <p>
        <strong>Stop</strong> mengakhiri siaran setelah Anda menyetujuinya. Riwayatnya tetap ada: berapa lama tayang dan
        apa saja yang terjadi. Dari situ <strong>Siarkan lagi</strong> memulainya lagi dengan key yang tersimpan.
      </p>
    </>
  ),
})

const schedules = (): Section => ({
  id: 'jadwal',
  title: 'Siaran yang mulai sendiri',
  body: (
    <>
      <p>
        Di tab <strong>Go</strong>, pilih <strong>Jadwalkan</strong> sebagai ganti <strong>Siarkan sekarang</strong>:
        sekali, setiap hari, atau pada hari tertentu, dengan satu atau beberapa waktu sehari. Sebelum disimpan, formulir
        menulis dalam kata-kata kapan siarannya tayang. Jamnya WIB, WITA, WIT, atau zona mana pun.
      </p>
      <ul>
        <li>
          <Link to="/fitur/jadwal">Jadwal</Link> memperlihatkan yang akan datang sebagai daftar dan sebagai minggu. Di
          sana satu tanggal bisa dilewati, dan jadwal diubah, dijeda, atau dihapus.
        </li>
        <li>
          Yang tidak akan bisa mulai, misalnya karena videonya sudah dihapus, diberi tahu sejam sebelumnya, lengkap
          dengan sebabnya.
        </li>
        <li>
          Kalau server mati pada jam mulainya, siaran menyusul selama waktunya belum habis. Kalau sudah habis, tertulis{' '}
          <em>Terlewat</em>.
        </li>
      </ul>
      <p>
        Creator Pro punya jadwal sekali dan harian; hari tertentu dan beberapa waktu sehari ada di Business. Siaran
        lewat akun TikTok belum bisa dijadwalkan, karena TikTok memberi key baru untuk setiap siaran.
      </p>
    </>
  ),
})

const controlRoom = (): Section => ({
  id: 'ruang-kontrol',
  title: 'Banyak siaran sekaligus',
  body: (
    <p>
      <Link to="/fitur/siaran">Ruang kontrol</Link> memuat semua siaran dalam satu layar: yang bermasalah paling atas,
      lalu yang tayang, yang menunggu, dan yang selesai hari ini. Cari menurut nama atau tujuan, saring menurut platform
      atau keadaan, lalu centang beberapa untuk menghentikan atau memulainya lagi bersama-sama.
    </p>
  ),
})

const analytics = (): Section => ({
  id: 'analitik',
  title: 'Berapa lama tayang, dan seberapa lancar',
  body: (
    <>
      <p>
        <Link to="/fitur/analytics">Analitik</Link> menjawabnya dengan angka: jam tayang, persen tayang, gangguan, dan
        tayang terlama, lalu jam tayang per hari dan platform. Setiap gangguan tertulis dengan sebab dan lamanya.
      </p>
      <ul>
        <li>
          <strong>Sekarang</strong> memperlihatkan bitrate setiap siaran yang berjalan. Sejak Creator Pro, grafiknya
          bergerak sendiri.
        </li>
        <li>
          Setiap siaran punya halaman sendiri, juga lewat <em>Lihat analitik</em> di ruang kontrol dan di riwayat tab
          Live: bitrate, gangguan, dan pergantian video pada satu garis waktu. Garis kuning di bawah grafik adalah
          gangguan; sentuh untuk membaca sebabnya.
        </li>
        <li>
          <strong>Lihat sebagai tabel</strong> memperlihatkan grafik sebagai angka, dan <strong>Unduh CSV</strong>{' '}
          menyimpannya untuk spreadsheet.
        </li>
      </ul>
      <p>
        Free Trial memperlihatkan 7 hari terakhir, Starter 30 hari dan CSV, Creator Pro dan Business setahun. Business
        juga punya laporan bulanan untuk dicetak.
      </p>
    </>
  ),
})

const lostConnection = (): Section => ({
  id: 'kalau-putus',
  title: 'Kalau sambungan putus di malam hari',
  body: (
    <>
      <p>Anda tidak perlu berbuat apa-apa. Inilah yang terjadi:</p>
      <ul>
        <li>
          Siaran yang <strong>pernah tayang</strong> tidak pernah dilepas. Percobaan pertama datang dalam satu dua
          detik, lalu makin jarang, paling lama semenit sekali, sampai platform menerimanya lagi.
        </li>
        <li>
          Siaran yang <strong>belum pernah diterima</strong> dicoba lima kali, lalu berhenti dengan alasannya. Biasanya
          stream key-nya salah. Kalau platformnya tidak menjawab sama sekali, lima percobaan itu dibagi dalam dua menit
          lebih, supaya gangguan singkat tidak menggagalkan siaran.
        </li>
        <li>Video dilanjutkan dari tempat terakhir, bukan dari awal.</li>
        <li>Kalau server dimulai ulang, semua siaran yang seharusnya tayang dinyalakan lagi.</li>
      </ul>
    </>
  ),
})

export const sections = (): readonly Section[] => {
  const { brand, trialDays } = settings()
  return [
    requirements(brand),
    newAccount(trialDays),
    videoUpload(),
    streamKey(),
    broadcastStart(),
    onAirCheck(),
    swapAndStop(),
    schedules(),
    controlRoom(),
    analytics(),
    recording(),
    lostConnection(),
    beingTold(),
  ]
}
