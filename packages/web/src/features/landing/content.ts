import { CalendarClock, ChartSpline, CloudDownload, type LucideIcon, MonitorPlay, Share2, Webhook } from 'lucide-react'

/**
 * Every word of the landing page that an operator may want to change; the plans and their prices are in the contracts
 * (`plans.ts`), since the server goes by them too.
 */

export const STATISTICS = [
  { figure: '10K+', label: 'pengguna aktif' },
  { figure: '99.9%', label: 'uptime' },
  { figure: '5M+', label: 'jam siaran' },
  { figure: '15+', label: 'platform' },
] as const

interface Feature {
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
}

export const FEATURES: readonly Feature[] = [
  {
    icon: Share2,
    title: 'Banyak platform',
    text: 'YouTube, Facebook, TikTok, Instagram, Twitch, dan alamat RTMP lain. Setiap siaran berjalan sendiri, jadi satu platform yang bermasalah tidak mengganggu yang lain.',
  },
  {
    icon: CalendarClock,
    title: 'Siaran terjadwal',
    text: 'Tentukan jam mulai dan jam selesai. Siaran menyala tepat waktu, juga saat Anda di jalan atau masih tidur.',
  },
  {
    icon: CloudDownload,
    title: 'Rekaman HD di cloud',
    text: 'Siaran direkam di server, bukan di laptop Anda, dan disimpan dari 24 jam sampai 1 tahun sesuai paket.',
  },
  {
    icon: MonitorPlay,
    title: 'Hingga 4K',
    text: 'Video disiapkan sekali, lalu dikirim apa adanya. Gambarnya tetap tajam, dan sambungan antarputaran tidak terlihat.',
  },
  {
    icon: ChartSpline,
    title: 'Analitik real-time',
    text: 'Bitrate, lama tayang, dan setiap gangguan terlihat saat itu juga, lengkap dengan sebabnya dalam bahasa biasa.',
  },
  {
    icon: Webhook,
    title: 'API dan webhook',
    text: 'Mulai dan hentikan siaran dari program Anda sendiri, dan terima kabar begitu keadaannya berubah.',
  },
]

/** Before opening for the public, put the words of your own customers here, with their leave. */
export const TESTIMONIALS = [
  {
    quote:
      'Dulu laptop menyala terus di kamar, dan setiap subuh saya bangun untuk memastikan masih live. Sekarang saya mengeceknya sambil sarapan.',
    name: 'Rani Puspita',
    role: 'Kanal musik lofi, Bandung',
  },
  {
    quote: 'Internet di toko sering putus. Siarannya tidak, karena memang bukan dari toko lagi.',
    name: 'Dimas Aryo',
    role: 'Toko perlengkapan hobi, Surabaya',
  },
  {
    quote:
      'Kami menjaga enam siaran klien dari satu layar. Kalau ada yang menyambung ulang, langsung kelihatan, dan ada sebabnya.',
    name: 'Sari Wulandari',
    role: 'Agensi konten, Jakarta',
  },
] as const

export const STEPS = [
  {
    title: 'Upload video',
    text: 'Format apa saja, ukuran berapa saja. Kalau koneksi putus di tengah jalan, upload dilanjutkan.',
  },
  {
    title: 'Tempel stream key',
    text: 'Pilih platform, lalu salin stream key dari YouTube Studio, TikTok, atau alamat RTMP Anda.',
  },
  { title: 'Tekan Go Live', text: 'Lampu menyala begitu platform menerima gambar. Setelah itu browser boleh ditutup.' },
] as const

/** The price and the trial's length come from where they are set, so that no answer can grow old. */
export const faq = (trialDays: number, lowestPrice: string) => [
  {
    question: 'Apa yang terjadi kalau internet saya putus?',
    answer:
      'Tidak apa-apa. Siaran berjalan di server, bukan di komputer Anda. Begitu video selesai diupload, Anda boleh menutup browser dan mematikan laptop.',
  },
  {
    question: 'Kalau sambungan ke platformnya yang putus?',
    answer:
      'Siaran disambung ulang dalam hitungan detik dan tidak menyerah selama Anda masih ingin tayang. Video dilanjutkan dari tempat terakhir, dan setiap gangguan tercatat bersama sebabnya.',
  },
  {
    question: 'Bolehkah satu video diputar terus-menerus?',
    answer:
      'Setiap platform punya aturannya sendiri. Facebook, misalnya, melarang satu video yang diputar terus-menerus sebagai siaran langsung. Pakailah konten milik Anda dan baca aturan platformnya sebelum mulai.',
  },
  {
    question: 'Berapa biayanya?',
    answer: `Free Trial gratis selama ${trialDays} hari, tanpa kartu kredit. Setelah itu mulai ${lowestPrice} per bulan, dengan harga yang sama untuk siaran satu jam maupun satu bulan penuh. Berlangganan diurus langsung dengan tim kami lewat WhatsApp.`,
  },
  {
    question: 'Apa yang terjadi saat masa coba habis?',
    answer:
      'Siaran berhenti dan Anda diberi tahu. Video Anda tidak langsung dihapus: pilih paket, lalu lanjutkan dari tempat yang sama.',
  },
]

/** The specification has no address for it yet. */
export const CONSULTATION_LINK = '#'
