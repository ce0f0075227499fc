/** The brand of a workspace and how it is put on videos. */
export const BRANDING_TEXTS = {
  kit: 'Brand Anda.',
  saved: 'Brand disimpan. Versi video yang sudah jadi tidak berubah.',
  logoSaved: 'Logo disimpan. Versi video yang sudah jadi tetap memakai logo lama.',
  logoRemoved: 'Logo dihapus. Versi video yang sudah jadi tetap memakainya.',
  noLogo: 'Belum ada logo. Upload logo dulu.',
  noText: 'Belum ada teks brand. Isi teksnya dulu.',
  textInvalid: 'Teks brand tidak valid.',
  textTooLong: (most: number): string => `Teks brand paling panjang ${most} karakter, dalam satu baris.`,
  textSmaller: 'Teksnya panjang, jadi hurufnya dikecilkan supaya seluruhnya muat.',
  colourInvalid: 'Warna harus ditulis seperti #1a2b3c.',
  lookInvalid: 'Tata letak brand tidak valid.',
  lookEmpty: 'Pilih paling sedikit satu: logo, teks, atau bingkai 9:16.',
  lookUnknown: 'Tata letak brand ini sudah tidak ada. Buat versinya lagi.',
  cornerInvalid: 'Sudut logo harus tl, tr, bl, atau br.',
  sizeInvalid: (least: number, most: number): string => `Lebar logo harus ${least} sampai ${most} persen.`,
  textSizeInvalid: (least: number, most: number): string => `Tinggi teks harus ${least} sampai ${most} persen.`,
  alignInvalid: 'Letak teks harus left, center, atau right.',
  marginInvalid: (most: number): string => `Jarak tepi harus 0 sampai ${most} persen.`,
  opacityInvalid: (least: number): string => `Kepekatan harus ${least} sampai 100 persen.`,
  frameInvalid: 'Bingkai tidak valid. Pilih blur, bars, atau crop.',
  focusInvalid: 'Fokus harus 0 sampai 100 persen.',
  logoType: 'Logo harus file PNG atau SVG.',
  logoTooLarge: (mebibytes: number): string => `Logo paling besar ${mebibytes} MB.`,
  logoEmpty: 'File logonya kosong.',
  logoPixels: (side: number): string => `Logo paling besar ${side} × ${side} piksel. Perkecil dulu.`,
  logoUnreadable: 'File logo ini tidak bisa dibaca. Simpan ulang sebagai PNG, lalu coba lagi.',
  svgUnsafe:
    'SVG ini berisi hal yang tidak kami terima (skrip, file dari luar, atau gambar tempelan). Simpan sebagai PNG.',
  tooManyLogos: 'Terlalu sering mengganti logo. Tunggu beberapa menit, lalu coba lagi.',
  /** Beside a version in a list. */
  branded: 'dengan brand',
  logoAt: { tl: 'logo kiri atas', tr: 'logo kanan atas', bl: 'logo kiri bawah', br: 'logo kanan bawah' },
  withText: 'teks',
  fits: { blur: '9:16 latar buram', bars: '9:16 latar warna', crop: '9:16 dipotong' },
  /** A broadcast that asks for a version. */
  renditionInvalid: 'Versi video yang diminta tidak dikenal.',
  renditionNotReady: 'Versi video ini belum siap. Tunggu sampai selesai disiapkan, atau siarkan video apa adanya.',
  logoOfOnline: 'Logo langsung hanya untuk sumber online. Untuk video, buat versi dengan brand di tab Lokal.',
  renditionOfVideo: 'Versi video hanya bisa dipilih untuk siaran satu video.',
} as const

const missing = (plan: string, what: string, next: string | null): string =>
  `Paket ${plan} belum punya ${what}.${next ? ` Upgrade ke ${next} untuk memakainya.` : ''}`

/** What a plan does not have of it. */
export const BRANDING_PLAN_TEXTS = {
  noBranding: (plan: string, next: string | null): string => missing(plan, 'logo sendiri di video', next),
  noBrandText: (plan: string, next: string | null): string => missing(plan, 'teks brand di video', next),
  onlyLogo: (plan: string, next: string | null): string =>
    `Paket ${plan} bisa memakai logo, belum teks.${next ? ` Upgrade ke ${next} untuk branding penuh.` : ''}`,
} as const
