import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { Link } from 'react-router'
import { settings } from '../../../lib/settings.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { FactsTable } from '../components/facts-table.tsx'
import { Note } from '../components/note.tsx'
import type { Section } from './section.ts'

const JOINED_ADDRESS = `Alamat server   rtmps://ingest.contoh.com:443/live/
Stream key      abcd-1234?token=xyz

Yang ditempel   rtmps://ingest.contoh.com:443/live/abcd-1234?token=xyz`

const keyAndAddress = (brand: string): Section => ({
  id: 'apa-itu',
  title: 'Apa itu stream key',
  body: (
    <>
      <p>
        Platform memberi setiap kanal dua hal: <strong>alamat server</strong> (diawali <code>rtmp://</code> atau{' '}
        <code>rtmps://</code>) dan <strong>stream key</strong>, deretan huruf rahasia yang mengatakan kanal siapa itu.
        Untuk YouTube, Facebook, dan layanan di daftar <strong>{PLATFORM_FACTS.lain.label}</strong>, {brand} sudah tahu
        alamat servernya, jadi key saja cukup. Untuk yang lain tempel alamat lengkap.
      </p>
      <FactsTable
        caption="Isi kolom RTMP/stream key"
        head={['Pilihan platform', 'Isi kolom RTMP/stream key']}
        rows={[
          [PLATFORM_FACTS.youtube.label, 'Stream key, atau alamat lengkap'],
          [PLATFORM_FACTS.facebook.label, 'Stream key, atau alamat lengkap'],
          [PLATFORM_FACTS.tiktok.label, 'Tidak ada: pilih akun TikTok yang sudah dihubungkan'],
          [
            PLATFORM_FACTS.lain.label,
            'Key saja setelah memilih layanannya di daftar; tanpa itu alamat lengkap, misalnya server sendiri',
          ],
        ]}
      />
    </>
  ),
})

const youtube = (): Section => ({
  id: 'youtube',
  title: 'YouTube',
  body: (
    <>
      <ol>
        <li>
          Buka YouTube Studio, tekan <strong>Buat → Mulai live → Streaming</strong>.
        </li>
        <li>
          Salin <strong>Kunci streaming</strong>. Kunci bawaan tidak berubah, jadi cukup diambil sekali.
        </li>
        <li>
          Nyalakan <strong>Mulai otomatis</strong> supaya siaran tampil begitu data datang, dan matikan{' '}
          <strong>Berhenti otomatis</strong> supaya gangguan beberapa menit tidak mengakhirinya.
        </li>
      </ol>
      <p>
        Siaran boleh berjalan tanpa batas waktu, tetapi YouTube hanya menyimpan rekaman siaran yang kurang dari 12 jam.
        Untuk arsip, hentikan dan mulai lagi sebelum itu.
      </p>
    </>
  ),
})

const facebook = (brand: string): Section => ({
  id: 'facebook',
  title: 'Facebook',
  body: (
    <>
      <p>
        Buka <strong>Live Producer</strong>, pilih <strong>Software streaming</strong>, lalu salin stream key. Satu
        siaran dibatasi 8 jam: sebelum itu {brand} menyambung ulang pada akhir putaran, dengan jeda beberapa detik.
      </p>
      <Note warning>
        <p>
          Aturan Facebook melarang rekaman yang diputar berulang terus-menerus. {brand} tidak melarang Anda, tetapi
          Facebook bisa menghentikan siaran atau membatasi halaman Anda. Di sana siarkan sumber yang sungguh langsung,
          atau hentikan begitu videonya selesai; untuk siaran 24 jam pakai YouTube.
        </p>
      </Note>
    </>
  ),
})

const tiktok = (): Section => ({
  id: 'tiktok',
  title: 'TikTok',
  body: (
    <>
      <p>
        TikTok membuat alamat baru untuk setiap siaran. Supaya Anda tidak perlu menempelnya setiap kali, simpan token
        Streamlabs akun TikTok Anda di <Link to="/fitur/account">Account</Link>. Saat Go Live, pilih akun itu: alamatnya
        diminta untuk Anda, dan siaran di TikTok ikut diakhiri ketika siaran Anda berhenti, juga kalau server sempat
        mati di antaranya.
      </p>
      <p>
        Akun TikTok harus punya izin LIVE lewat perangkat lunak. Kalau TikTok memberi Anda alamat dan key sendiri, pilih{' '}
        <strong>{PLATFORM_FACTS.lain.label}</strong> dan tempel alamat lengkapnya.
      </p>
    </>
  ),
})

const otherPlatforms = (): Section => ({
  id: 'lainnya',
  title: 'Twitch, Instagram, dan lainnya',
  body: (
    <>
      <p>
        Pilih <strong>{PLATFORM_FACTS.lain.label}</strong>, lalu cari layanannya: ada lebih dari tiga puluh, dengan
        alamat server, tempat mengambil key, dan apa yang diterimanya. Yang memberi alamat baru untuk setiap siaran,
        misalnya Instagram, meminta alamat itu. Kalau video Anda akan ditolak atau diturunkan mutunya, formulir
        mengatakannya sebelum Go Live, dengan jalan keluarnya.
      </p>
      <p>
        Layanan yang tidak ada di daftar: gabungkan alamat server dengan key: alamat, garis miring, key. Tanda tanya dan
        tanda dan (&amp;) di dalam key ikut disalin.
      </p>
      <CodeBlock label="Menggabungkan alamat dan key" code={JOINED_ADDRESS} />
      <FactsTable
        caption="Alamat dan batas platform lain"
        head={['Platform', 'Alamat', 'Batas']}
        rows={[
          [
            'Twitch',
            <code key="twitch">rtmps://ingest.global-contribute.live-video.net/app/KEY</code>,
            '48 jam; bitrate paling tinggi 6 Mbps',
          ],
          ['Instagram', 'Alamat dan key baru setiap siaran, dari Live Producer', '4 jam; gambar tegak 720×1280'],
          ['Shopee, Tokopedia', 'Alamat dan key dari halaman penjual', 'Tergantung platform'],
          ['Server sendiri', 'Alamat server RTMP Anda, misalnya nginx-rtmp', 'Tidak ada'],
        ]}
      />
    </>
  ),
})

const onlineSources = (brand: string): Section => ({
  id: 'sumber-online',
  title: 'Bigo dan sumber online',
  body: (
    <>
      <p>
        Yang disiarkan tidak harus video Anda sendiri. Tab <strong>Bigo</strong> di layar Live menunjukkan ruang dari
        akun Bigo yang Anda simpan di <Link to="/fitur/account">Account</Link>, dan dengan{' '}
        <strong>Tambah sumber online</strong> Anda bisa menyimpan alamat HLS (.m3u8) apa pun yang boleh Anda siarkan.
        Pilih salah satu, lalu Go Live seperti biasa.
      </p>
      <ul>
        <li>
          Gambar dan suaranya diteruskan apa adanya. Kalau formatnya tidak diterima platform, {brand} mengubahnya sambil
          jalan, dan itu tertulis di siarannya.
        </li>
        <li>
          Sumber yang terputus ditunggu. Dengan <strong>Video cadangan</strong>, penonton melihat video Anda selama itu,
          dan sumbernya lagi begitu kembali.
        </li>
        <li>
          Bigo bisa meminta login atau menolak server kami. Alasannya tertulis di bawah nama akunnya; kami tidak
          mengakalinya.
        </li>
      </ul>
    </>
  ),
})

const severalTargets = (): Section => ({
  id: 'banyak-tujuan',
  title: 'Satu siaran ke banyak tujuan',
  body: (
    <>
      <p>
        Simpan setiap key sekali di <Link to="/fitur/target">Tujuan</Link>, atau langsung di tab <strong>Go</strong>{' '}
        dengan <strong>Simpan sebagai tujuan</strong>. Setelah itu cukup dicentang: satu Go Live mengirim ke semua yang
        dicentang, sampai 20 tujuan.
      </p>
      <ul>
        <li>
          Tombol <strong>Uji</strong> mengirim gambar uji beberapa detik dan memberi tahu jawaban platform, tanpa
          meninggalkan apa pun di udara.
        </li>
        <li>
          Di tab <strong>Live</strong> setiap tujuan punya keadaannya sendiri: dihentikan satu per satu atau semuanya,
          dan ditambah selagi tayang. Yang gagal tidak mengganggu yang lain.
        </li>
        <li>Setiap tujuan dihitung sebagai satu siaran dalam paket Anda.</li>
      </ul>
    </>
  ),
})

const oneKeyOneBroadcast = (): Section => ({
  id: 'satu-key-satu-siaran',
  title: 'Satu key, satu siaran',
  body: (
    <>
      <p>
        Dua siaran ke key yang sama saling mengusir, jadi yang kedua ditolak: <em>{STREAM_TEXTS.sameTarget}</em> Untuk
        tayang di tiga platform, kirim satu siaran ke tiga tujuan, masing-masing dengan key-nya.
      </p>
    </>
  ),
})

const secrecy = (): Section => ({
  id: 'kerahasiaan',
  title: 'Bagaimana key Anda dijaga',
  body: (
    <>
      <ul>
        <li>Disimpan terenkripsi (AES-256-GCM), dan dibuka hanya saat siaran dikirim.</li>
        <li>Tidak pernah ditampilkan lagi, juga kepada Anda, dan tidak pernah ditulis ke log.</li>
        <li>
          Tetap tersimpan setelah siaran selesai, supaya siaran itu bisa dimulai lagi dari riwayatnya tanpa mengisi key.
          Hilang bersama akun Anda.
        </li>
        <li>
          Key yang Anda simpan di <Link to="/fitur/target">Tujuan</Link> hanya terlihat ujungnya, dan hanya dikirim ke
          server yang Anda isi bersamanya.
        </li>
        <li>
          Kalau bocor, buat key baru di platform (di YouTube: <strong>Reset</strong>), lalu mulai siaran lagi dengan key
          itu.
        </li>
      </ul>
    </>
  ),
})

const refusals = (): Section => ({
  id: 'kalau-ditolak',
  title: 'Kalau platform menolak',
  body: (
    <FactsTable
      caption="Alasan siaran tidak tayang"
      head={['Yang tertulis', 'Yang perlu diperiksa']}
      rows={[
        [
          'Platform menolak stream key …',
          'Salin lagi key-nya tanpa spasi. Pastikan tidak ada siaran lain, misalnya OBS, yang memakainya.',
        ],
        [
          'Platform memutus siaran …',
          'Buka platformnya: mungkin siarannya diakhiri, ada teguran, atau batas waktunya habis.',
        ],
        ['Alamat server tidak ditemukan …', 'Ada salah ketik di alamat. Salin lagi seluruhnya.'],
        [
          'Sambungan aman (rtmps) … gagal',
          'Periksa port-nya (biasanya 443), atau pakai alamat rtmp:// bila platform menyediakannya.',
        ],
        [STREAM_TEXTS.wholeUrlRequired, 'Anda menempel key saja. Gabungkan dengan alamat servernya.'],
      ]}
    />
  ),
})

export const sections = (): readonly Section[] => {
  const { brand } = settings()
  return [
    keyAndAddress(brand),
    youtube(),
    facebook(brand),
    tiktok(),
    otherPlatforms(),
    onlineSources(brand),
    severalTargets(),
    oneKeyOneBroadcast(),
    secrecy(),
    refusals(),
  ]
}
