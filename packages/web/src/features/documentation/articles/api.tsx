import { PLANS } from '@siarin/contracts/plans'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { settings } from '../../../lib/settings.ts'
import { API_GROUPS } from '../api-reference/api-groups.ts'
import { ERROR_WORDS } from '../api-reference/error-words.ts'
import { articlePath } from '../article-path.ts'
import { ApiCallBlock } from '../components/api-call-block.tsx'
import { CodeBlock } from '../components/code-block.tsx'
import { FactsTable } from '../components/facts-table.tsx'
import { Note } from '../components/note.tsx'
import type { Section } from './section.ts'

const quickStart = (server: string): string => `export API_KEY='tempel API key dari halaman Profile'

# 1. Upload video
curl -H "X-API-Key: $API_KEY" -F video=@klip.mp4 \\
  ${server}/fitur/video/upload

# 2. Tunggu sampai statusnya ready
curl -H "X-API-Key: $API_KEY" ${server}/fitur/video

# 3. Mulai siaran
curl -H "X-API-Key: $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"source":"klip.mp4","platform":"youtube","rtmpStream":"abcd-efgh-ijkl-mnop"}' \\
  ${server}/fitur/steam/start

# 4. Lihat keadaannya
curl -H "X-API-Key: $API_KEY" ${server}/fitur/steam/active`

const ERROR_EXAMPLE = `{
  "success": false,
  "message": "Video masih diproses. Tunggu sampai siap, lalu mulai siaran.",
  "code": "video_not_ready"
}`

const introduction = (server: string): readonly Section[] => [
  {
    id: 'mulai-cepat',
    title: 'Mulai cepat',
    body: (
      <>
        <p>
          Semua yang bisa dilakukan layar Live bisa dilakukan program Anda. Ambil API key di{' '}
          <Link to="/profile">Profile</Link>, lalu empat perintah ini membawa satu video sampai tayang:
        </p>
        <CodeBlock label="Terminal" code={quickStart(server)} />
      </>
    ),
  },
  {
    id: 'api-key',
    title: 'API key',
    body: (
      <>
        <p>
          Kirim kunci itu di header <code>X-API-Key</code>. Itu cara terbaik, sebab header tidak ikut tercatat di
          riwayat browser atau log proxy. Yang juga diterima: <code>apiKey</code> di query untuk GET, dan di isi JSON
          untuk POST dan DELETE.
        </p>
        <Note warning>
          <p>
            API key membuka seluruh akun Anda. Simpan sebagai rahasia, jangan di kode halaman web. Kalau bocor, tekan{' '}
            <strong>Regenerate API Key</strong> di Profile: kunci lama langsung tidak berlaku.
          </p>
        </Note>
      </>
    ),
  },
  {
    id: 'jawaban',
    title: 'Bentuk jawaban dan galat',
    body: (
      <>
        <p>
          Setiap jawaban adalah JSON dengan <code>success</code> dan <code>message</code>. Galat memakai status HTTP
          yang sesuai dan menambahkan <code>code</code>, yang tidak berubah dari versi ke versi. Pakai <code>code</code>{' '}
          di program, tampilkan <code>message</code> kepada orang.
        </p>
        <CodeBlock label="Contoh galat" code={ERROR_EXAMPLE} />
        <FactsTable
          caption="Kode galat"
          head={['code', 'Status', 'Kapan']}
          rows={Object.entries(ERROR_WORDS).map(([code, [status, when]]) => [
            <code key="code">{code}</code>,
            status,
            when,
          ])}
        />
      </>
    ),
  },
  {
    id: 'batas-permintaan',
    title: 'Batas permintaan',
    body: (
      <>
        <p>
          Paket menentukan berapa permintaan program Anda boleh kirim dalam satu menit. Yang melewatinya dijawab 429
          dengan <code>code</code> <code>rate_limited</code>; header <code>Retry-After</code> menyebut berapa detik
          harus ditunggu. Permintaan halaman ini sendiri dan penghentian siaran tidak dihitung. Bandingkan paket di{' '}
          <Link to="/profile/plan">Paket</Link>.
        </p>
        <FactsTable
          caption="Permintaan API per menit"
          head={['Paket', 'Permintaan per menit']}
          rows={PLANS.map(({ name, limits }) => [name, formatNumber(limits.apiRequestsPerMinute)])}
        />
      </>
    ),
  },
]

const resumableUpload = (server: string): Section => ({
  id: 'upload-bisa-dilanjutkan',
  title: 'Upload yang bisa dilanjutkan',
  body: (
    <>
      <p>
        Untuk file besar pakai protokol <a href="https://tus.io">tus 1.0</a>: upload yang terputus dilanjutkan dari
        tempat terakhir. Alamatnya <code>{server}/fitur/video/tus</code>, kuncinya di header <code>X-API-Key</code>,
        nama filenya di metadata <code>filename</code>. Setelah selesai, videonya muncul di daftar seperti upload biasa.
      </p>
      <CodeBlock
        label="Node.js, dengan tus-js-client"
        code={`import { createReadStream, statSync } from 'node:fs'
import { Upload } from 'tus-js-client'

new Upload(createReadStream('klip.mp4'), {
  endpoint: '${server}/fitur/video/tus',
  headers: { 'X-API-Key': process.env.API_KEY },
  metadata: { filename: 'klip.mp4' },
  uploadSize: statSync('klip.mp4').size,
  retryDelays: [0, 1000, 5000, 15000],
  onSuccess: () => console.log('selesai'),
}).start()`}
      />
    </>
  ),
})

const machineReadable = (server: string): Section => ({
  id: 'openapi',
  title: 'OpenAPI',
  body: (
    <p>
      Seluruh API dalam bentuk yang bisa dibaca mesin ada di <code>{server}/openapi.json</code>: masukkan ke Postman,
      Insomnia, atau pembuat kode. Mencari stream key? Baca{' '}
      <Link to={articlePath('kunci-dan-platform')}>Stream key dan platform</Link>.
    </p>
  ),
})

export const sections = (): readonly Section[] => {
  const { server } = settings()
  const [videoCalls, ...otherCalls] = API_GROUPS.map(
    ({ id, title, lead, calls }): Section => ({
      id,
      title,
      body: (
        <>
          <p>{lead}</p>
          {calls.map((call) => (
            <ApiCallBlock key={`${call.method} ${call.path}`} call={call} server={server} />
          ))}
        </>
      ),
    }),
  )
  return [
    ...introduction(server),
    ...(videoCalls ? [videoCalls] : []),
    resumableUpload(server),
    ...otherCalls,
    machineReadable(server),
  ]
}
