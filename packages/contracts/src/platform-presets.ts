import { type PlatformPreset, preset } from './platform-preset.ts'

/**
 * The platforms, as public sources had them in November 2026. Platforms change their addresses and limits: they stand here, and what the select
 * needs besides in `platforms.ts`. Figures that nobody could tell us are left out. The list is shown in this order: what people here ask for
 * most comes first.
 */
export const PLATFORM_PRESETS: readonly PlatformPreset[] = [
  preset({
    ...{ id: 'youtube', name: 'YouTube', region: 'Seluruh dunia', keyLasts: true, sessionHours: 'unlimited' },
    servers: { Utama: 'rtmps://a.rtmps.youtube.com:443/live2' },
    keyAt: 'Buka studio.youtube.com, pilih Live, lalu salin stream key-nya.',
    takes: { videoKbps: 51_000, audioKbps: 160, fps: 60, keyframeSeconds: 4, videoCodecs: ['h264', 'hevc', 'av1'] },
  }),
  preset({
    ...{ id: 'facebook', name: 'Facebook', region: 'Seluruh dunia', keyLasts: false, sessionHours: 8 },
    servers: { Utama: 'rtmps://live-api-s.facebook.com:443/rtmp/' },
    keyAt: 'Buka facebook.com/live/producer, lalu salin stream key-nya.',
    note: 'Akunnya harus berumur 60 hari atau lebih, dengan 100 pengikut atau lebih.',
    takes: { videoKbps: 9000, fps: 60, keyframeSeconds: 4, videoCodecs: ['h264'] },
  }),
  preset({
    ...{ id: 'tiktok', name: 'TikTok', region: 'Seluruh dunia', keyLasts: false, sessionHours: 'unlimited' },
    keyAt: 'Siarin memintanya sendiri lewat akun TikTok Anda.',
    takes: { videoKbps: 6000, isKbpsRough: true, fps: 30, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'twitch', name: 'Twitch', region: 'Seluruh dunia', keyLasts: true, sessionHours: 48 },
    servers: {
      'Otomatis, yang terdekat': 'rtmps://ingest.global-contribute.live-video.net/app',
      Singapura: 'rtmp://live-sin.twitch.tv/app',
      Jakarta: 'rtmps://jkt02.contribute.live-video.net/app',
    },
    keyAt: 'Buka dashboard.twitch.tv/settings/stream, lalu salin stream key-nya.',
    takes: { videoKbps: 6000, audioKbps: 320, fps: 60, keyframeSeconds: 2, videoCodecs: ['h264'] },
  }),
  preset({
    ...{ id: 'kick', name: 'Kick', region: 'Seluruh dunia', keyLasts: true, sessionHours: 'unlimited' },
    servers: { Utama: 'rtmps://fa723fc1b171.global-contribute.live-video.net:443/app' },
    keyAt: 'Buka dashboard di kick.com, pilih Stream, lalu salin stream key-nya.',
    note: 'Rekamannya hanya berisi 48 jam pertama.',
    takes: { videoKbps: 8000, isKbpsRough: true, fps: 60, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'instagram', name: 'Instagram', region: 'Seluruh dunia', keyLasts: false, sessionHours: 4 },
    keyAt: 'Buka Live Producer di instagram.com, lalu salin alamat dan stream key siaran itu.',
    note: 'Sebagian akun dibatasi 1 jam per siaran.',
    takes: { videoKbps: 6000, audioKbps: 256, fps: 30, keyframeSeconds: 2, upright: true },
  }),
  preset({
    ...{ id: 'shopee', name: 'Shopee Live', region: 'Indonesia, Asia Tenggara, Taiwan', keyLasts: false },
    keyAt: 'Buka halaman live di Seller Centre lewat komputer, lalu salin alamat dan kuncinya.',
  }),
  preset({
    ...{ id: 'telegram', name: 'Telegram', region: 'Seluruh dunia' },
    keyAt: 'Di channel Anda buka Video chat, pilih Stream with…, lalu salin Server URL dan Stream key.',
    note: 'Alamat servernya berbeda untuk tiap channel.',
    takes: { fps: 30 },
  }),
  preset({
    ...{ id: 'x', name: 'X (Twitter)', region: 'Seluruh dunia', keyLasts: true, sessionHours: 'unlimited' },
    servers: {
      Singapura: 'rtmp://sg.pscp.tv:80/x',
      Jepang: 'rtmp://jp.pscp.tv:80/x',
      Korea: 'rtmp://kr.pscp.tv:80/x',
      India: 'rtmp://in.pscp.tv:80/x',
      Australia: 'rtmp://au.pscp.tv:80/x',
    },
    keyAt: 'Buka studio.x.com, pilih Producer lalu Sources, dan salin stream key-nya.',
    note: 'Perlu langganan Premium. Siaran yang dijadwalkan di X paling lama 6 jam.',
    takes: { videoKbps: 12_000, fps: 60, keyframeSeconds: 3 },
  }),
  preset({
    ...{ id: 'linkedin', name: 'LinkedIn Live', region: 'Seluruh dunia', keyLasts: false, sessionHours: 4 },
    keyAt: 'Buka acaranya di linkedin.com, pilih custom stream, lalu salin alamat dan kuncinya.',
    note: 'Izin siaran langsung diajukan dulu ke LinkedIn.',
    takes: { videoKbps: 6000, isKbpsRough: true, fps: 30, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'rumble', name: 'Rumble', region: 'Amerika Serikat', sessionHours: 'unlimited' },
    servers: { Utama: 'rtmp://rtmp.rumble.com/live' },
    keyAt: 'Buka rumble.com lalu Go live. Kunci tetap ada di Rumble Studio, bagian Direct RTMP.',
    note: 'Perlu 5 pengikut atau langganan. Bila halamannya menunjukkan alamat lain, pakai alamat itu. Untuk 1080p paling tinggi 8.000 kbps, dengan 60 fps 10.000 kbps.',
    takes: { videoKbps: 30_000, fps: 60 },
  }),
  preset({
    ...{ id: 'trovo', name: 'Trovo', region: 'Seluruh dunia', keyLasts: true },
    servers: { Utama: 'rtmp://livepush.trovo.live/live/' },
    keyAt: 'Buka studio.trovo.live/mychannel/stream, lalu salin stream key-nya.',
    takes: { videoKbps: 9000, fps: 60, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'vk', name: 'VK Video', region: 'Rusia', keyLasts: false },
    servers: { Utama: 'rtmp://ovsu.okcdn.ru/input/', 'Alamat lama': 'rtmp://ovsu.mycdn.me/input/' },
    keyAt: 'Buat siaran di studio VK Video, lalu salin kunci siaran itu.',
  }),
  preset({
    ...{ id: 'ok', name: 'OK.ru', region: 'Rusia' },
    servers: { Utama: 'rtmp://vsu.mycdn.me/input/', Cadangan: 'rtmp://vsu.okcdn.ru/input/' },
    keyAt: 'Buka ok.ru/video/liveApp, lalu salin kuncinya.',
  }),
  preset({
    ...{ id: 'rutube', name: 'Rutube', region: 'Rusia' },
    servers: { Utama: 'rtmp://rtmp-lb.m9.rutube.ru/live_push', Cadangan: 'rtmp://upload.rutube.ru/live_push' },
    keyAt: 'Buka studio.rutube.ru, lalu salin kunci siarannya.',
  }),
  preset({
    ...{ id: 'nimo', name: 'Nimo TV', region: 'Asia Tenggara', keyLasts: true },
    servers: { 'Server 1': 'rtmp://txpush.rtmp.nimo.tv/live/', 'Server 2': 'rtmp://alpush.rtmp.nimo.tv/live/' },
    keyAt: 'Buka halaman kreator di nimo.tv, lalu salin stream key-nya.',
    takes: { videoKbps: 6000, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'bigo', name: 'Bigo Live', region: 'Asia', keyLasts: false },
    keyAt: 'Buka Bigo Live Connector di komputer, lalu salin alamat dan kunci siaran itu.',
  }),
  preset({
    ...{ id: 'dlive', name: 'DLive', region: 'Seluruh dunia', keyLasts: true },
    servers: { Utama: 'rtmp://stream.dlive.tv/live' },
    keyAt: 'Buka dashboard di dlive.tv, lalu salin stream key-nya.',
    takes: { videoKbps: 6000, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'steam', name: 'Steam', region: 'Seluruh dunia', keyLasts: true },
    servers: { Utama: 'rtmp://ingest-rtmp.broadcast.steamcontent.com/app' },
    keyAt: 'Buka store.steampowered.com/broadcast/upload, lalu salin kuncinya.',
    takes: { videoKbps: 7000, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'vimeo', name: 'Vimeo', region: 'Seluruh dunia' },
    servers: {
      Utama: 'rtmp://rtmp.cloud.vimeo.com/live',
      'Utama, terenkripsi': 'rtmps://rtmp-global.cloud.vimeo.com/live',
    },
    keyAt: 'Buka acaranya di vimeo.com, pilih Encoder, lalu salin stream key-nya.',
  }),
  preset({
    ...{ id: 'dailymotion', name: 'Dailymotion', region: 'Seluruh dunia', keyLasts: false },
    servers: { Utama: 'rtmp://publish.dailymotion.com/publish-dm' },
    keyAt: 'Buka live di Dailymotion Studio, lalu salin kuncinya sampai habis, termasuk ?auth=….',
  }),
  preset({
    ...{ id: 'odysee', name: 'Odysee', region: 'Seluruh dunia' },
    servers: { Utama: 'rtmp://stream.odysee.com/live' },
    keyAt: 'Buka odysee.com/$/livestream, lalu salin kuncinya sampai habis.',
    takes: { videoKbps: 8000, isKbpsRough: true, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'picarto', name: 'Picarto', region: 'Amerika Serikat', keyLasts: true },
    servers: { 'Amerika Serikat': 'rtmp://live.us.picarto.tv/golive' },
    keyAt: 'Buka picarto.tv/settings, lalu salin stream key-nya.',
    takes: { videoKbps: 3500, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'mixcloud', name: 'Mixcloud', region: 'Seluruh dunia', keyLasts: true, sessionHours: 'unlimited' },
    servers: { Utama: 'rtmp://rtmp.mixcloud.com/broadcast' },
    keyAt: 'Buka mixcloud.com/live, lalu salin stream key-nya.',
    takes: { videoKbps: 6000, fps: 30, keyframeSeconds: 2, shortSide: 720 },
  }),
  preset({
    ...{ id: 'restream', name: 'Restream', region: 'Seluruh dunia', keyLasts: true },
    servers: { Otomatis: 'rtmp://live.restream.io/live', Singapura: 'rtmp://singapore.restream.io/live' },
    keyAt: 'Buka restream.io/settings/streaming-setup, lalu salin stream key-nya.',
    note: 'Bitrate dan lama siaran mengikuti paket Restream Anda.',
    takes: { keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'castr', name: 'Castr', region: 'Seluruh dunia', keyLasts: true },
    servers: { Singapura: 'rtmp://sg.castr.io/static' },
    keyAt: 'Buka app.castr.io, lalu salin stream key-nya.',
    takes: { keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'bilibili', name: 'Bilibili', region: 'Tiongkok' },
    servers: {
      Utama: 'rtmp://live-push.bilivideo.com/live-bvc/',
      'Luar Tiongkok 1': 'rtmp://bdy.live-push.bilivideo.com/live-bvc/',
      'Luar Tiongkok 2': 'rtmp://txy.live-push.bilivideo.com/live-bvc/',
    },
    keyAt: 'Buka link.bilibili.com, mulai siaran di sana, lalu salin kuncinya.',
    takes: { videoCodecs: ['h264', 'hevc'] },
  }),
  preset({
    ...{ id: 'soop', name: 'SOOP', region: 'Korea, Asia Tenggara', keyLasts: true },
    servers: { Global: 'rtmp://global-stream.sooplive.com/app', Korea: 'rtmp://rtmp-sgp.sooplive.co.kr/app/' },
    keyAt: 'Buka sooplive.com/dashboard, lalu salin stream key-nya.',
    takes: { videoKbps: 8000, fps: 60, keyframeSeconds: 1, bFrames: false },
  }),
  preset({
    ...{ id: 'chzzk', name: 'CHZZK', region: 'Korea', keyLasts: true },
    servers: { Utama: 'rtmp://global-rtmp.lip2.navercorp.com:8080/relay' },
    keyAt: 'Buka studio.chzzk.naver.com, pilih pengaturan, lalu salin stream key-nya.',
    takes: { videoKbps: 8000, fps: 60, keyframeSeconds: 1, bFrames: false },
  }),
  preset({
    ...{ id: 'niconico', name: 'niconico', region: 'Jepang' },
    servers: { Utama: 'rtmp://liveorigin.dlive.nicovideo.jp/live/input' },
    keyAt: 'Ikuti petunjuk di qa.nicovideo.jp/faq/show/701 untuk menyalin kuncinya.',
    takes: { videoKbps: 5808, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'goodgame', name: 'GoodGame', region: 'Rusia', keyLasts: true },
    servers: { Moskwa: 'rtmp://msk.goodgame.ru:1940/live' },
    keyAt: 'Buka dashboard channel Anda di goodgame.ru, lalu salin kuncinya.',
    takes: { videoCodecs: ['h264'] },
  }),
  preset({
    ...{ id: 'vaughn', name: 'Vaughn Live', region: 'Amerika Serikat', keyLasts: true },
    servers: { 'Amerika Serikat': 'rtmp://live-iad.vaughnsoft.net/live' },
    keyAt: 'Buka dashboard channel Anda di vaughn.live, lalu salin kuncinya.',
    takes: { videoKbps: 15_000, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'angelthump', name: 'AngelThump', region: 'Seluruh dunia', keyLasts: true },
    servers: { Singapura: 'rtmp://sgp-ingest.angelthump.com:1935/live' },
    keyAt: 'Buka dashboard di angelthump.com, lalu salin stream key-nya.',
    takes: { videoKbps: 3500, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'mux', name: 'Mux', region: 'Seluruh dunia', keyLasts: true },
    servers: { Utama: 'rtmps://global-live.mux.com:443/app' },
    keyAt: 'Buka live stream-nya di dashboard.mux.com, lalu salin stream key-nya.',
    takes: { videoKbps: 5000, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'livepush', name: 'Livepush', region: 'Seluruh dunia', keyLasts: true },
    servers: { Singapura: 'rtmp://as-southeast-sg.livepush.io/live' },
    keyAt: 'Buka dashboard di livepush.io, lalu salin stream key-nya.',
    takes: { videoKbps: 16_000, keyframeSeconds: 2 },
  }),
  preset({
    ...{ id: 'apivideo', name: 'api.video', region: 'Seluruh dunia', keyLasts: true },
    servers: { Utama: 'rtmps://broadcast.api.video:1936/s' },
    keyAt: 'Buka live stream-nya di dashboard.api.video, lalu salin stream key-nya.',
    takes: { videoKbps: 20_000, keyframeSeconds: 2 },
  }),
]

export const presetOf = (id: string): PlatformPreset | null => PLATFORM_PRESETS.find((row) => row.id === id) ?? null

const hostOf = (url: string): string => /^\w+:\/\/([^/:]+)/.exec(url)?.[1]?.toLowerCase() ?? ''

/** Whose server it is; null: nobody's that we know. */
export const presetAt = (host: string): PlatformPreset | null =>
  PLATFORM_PRESETS.find(({ servers }) => servers.some(({ url }) => hostOf(url) === host.toLowerCase())) ?? null
