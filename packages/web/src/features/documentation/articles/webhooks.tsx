import { PLANS } from '@siarin/contracts/plans'
import { WEBHOOK_EVENT_TEXTS } from '@siarin/contracts/webhook-texts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@siarin/contracts/webhooks'
import { Link } from 'react-router'
import { settings } from '../../../lib/settings.ts'
import { articlePath } from '../article-path.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { FactsTable } from '../components/facts-table.tsx'
import { Note } from '../components/note.tsx'
import type { Section } from './section.ts'

const STREAM_DATA = 'streamId, broadcastId, title, platform, targetName'

const DATA: Readonly<Record<WebhookEvent, string>> = {
  'stream.started': STREAM_DATA,
  'stream.live': STREAM_DATA,
  'stream.interrupted': `${STREAM_DATA}, reason, planned`,
  'stream.recovered': `${STREAM_DATA}, offAirMs`,
  'stream.failed': `${STREAM_DATA}, cause`,
  'stream.ended': `${STREAM_DATA}, reason, cause`,
  'video.ready': 'videoId, filename',
  'video.failed': 'videoId, filename, reason',
  'schedule.started': 'scheduleId, title, dueAt, streamId',
  'schedule.missed': 'scheduleId, title, dueAt, reason',
  'recording.ready': 'recordingId, streamId, title, durationMs, sizeBytes',
  'plan.ending': 'plan, endsAt',
}

const REQUEST = `POST /siarin HTTP/1.1
content-type: application/json
webhook-id: msg_mhz3k2v1a00017d2f9c4b6e8a1035
webhook-timestamp: 1794859200
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{
  "type": "stream.interrupted",
  "timestamp": "2026-11-16T20:00:00.000Z",
  "data": {
    "streamId": "0198c1f2-7d4e-7000-8a51-3f0e6b9d2c21",
    "broadcastId": "0198c1f2-7d4e-7000-8a51-3f0e6b9d2c21",
    "title": "Lofi 24 jam",
    "platform": "youtube",
    "targetName": "Kanal utama",
    "reason": "target-closed",
    "planned": false
  }
}`

const NODE = `import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks' // npm install standardwebhooks

const webhook = new Webhook(process.env.WEBHOOK_SECRET) // whsec_…

createServer(async (request, response) => {
  const body = await text(request) // isi mentah, jangan diubah dulu
  try {
    const event = webhook.verify(body, request.headers)
    response.writeHead(204).end() // jawab dulu, kerjakan kemudian
    console.log(event.type, event.data)
  } catch {
    response.writeHead(401).end()
  }
}).listen(3000)`

const PHP = `<?php
$secret = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$ours = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $secret, true));

$valid = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $theirs) {
    $valid = hash_equals($ours, $theirs) || $valid;
}
if (!$valid || abs(time() - (int) $time) > 300) {
    http_response_code(401);
    exit;
}
http_response_code(204);
$event = json_decode($body, true);
error_log($event['type'] . ' ' . json_encode($event['data']));`

const introduction = (brand: string): Section => ({
  id: 'apa-itu',
  title: 'Apa itu webhook',
  body: (
    <>
      <p>
        {brand} memanggil alamat Anda begitu sesuatu terjadi: siaran tayang, terputus, kembali, atau berakhir. Program
        Anda tidak perlu bertanya berulang-ulang. Buat webhook di layar <Link to="/fitur/webhook">Webhook</Link> atau
        lewat <Link to={`${articlePath('api')}#webhook`}>API</Link>, pilih kejadiannya, lalu tekan{' '}
        <strong>Kirim uji coba</strong> untuk melihat jawaban program Anda.
      </p>
      <FactsTable
        caption="Webhook per paket"
        head={['Paket', 'Webhook']}
        rows={PLANS.map(({ name, limits }) => [name, limits.webhooks === 0 ? 'Belum ada' : limits.webhooks])}
      />
    </>
  ),
})

const form = (): Section => ({
  id: 'bentuk',
  title: 'Bentuk kiriman',
  body: (
    <>
      <p>
        Setiap kiriman adalah POST dengan isi JSON: <code>type</code>, <code>timestamp</code> (kapan terjadinya), dan{' '}
        <code>data</code>.
      </p>
      <CodeBlock label="Contoh kiriman" code={REQUEST} />
    </>
  ),
})

const events = (): Section => ({
  id: 'kejadian',
  title: 'Kejadian dan isinya',
  body: (
    <>
      <p>
        <code>reason</code> dan <code>cause</code> adalah kode yang tetap, waktu ditulis dalam ISO 8601. Stream key dan
        alamat tujuan tidak pernah ikut. Kejadian <code>webhook.test</code> hanya datang kalau Anda memintanya.
      </p>
      <FactsTable
        caption="Kejadian"
        head={['type', 'Kapan', 'data']}
        rows={WEBHOOK_EVENTS.map((event) => [
          <code key="event">{event}</code>,
          WEBHOOK_EVENT_TEXTS[event],
          DATA[event],
        ])}
      />
    </>
  ),
})

const verifying = (brand: string): Section => ({
  id: 'tanda-tangan',
  title: 'Periksa tanda tangannya',
  body: (
    <>
      <p>
        Alamat Anda bisa dipanggil siapa saja. Tanda tangan menurut{' '}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a> membuktikan bahwa kiriman itu dari {brand} dan
        tidak diubah: HMAC-SHA256 atas <code>webhook-id.webhook-timestamp.isi</code> dengan signing secret Anda. Tolak
        kiriman yang umurnya lebih dari lima menit.
      </p>
      <CodeBlock label="Node.js, dengan standardwebhooks" code={NODE} />
      <CodeBlock label="PHP, tanpa pustaka" code={PHP} />
    </>
  ),
})

const secret = (): Section => ({
  id: 'secret',
  title: 'Simpan dan ganti signing secret',
  body: (
    <>
      <p>
        Signing secret (<code>whsec_…</code>) ditampilkan sekali, waktu dibuat atau diganti. Simpan sebagai rahasia, di
        luar kode program Anda.
      </p>
      <Note>
        <p>
          Setelah diganti, secret lama ikut menandatangani selama 24 jam: header <code>webhook-signature</code> berisi
          dua tanda tangan, dan satu yang cocok sudah cukup. Jadi program Anda bisa diganti tanpa terputus.
        </p>
      </Note>
    </>
  ),
})

const delivering = (): Section => ({
  id: 'pengiriman',
  title: 'Kapan dikirim lagi',
  body: (
    <>
      <p>
        Status 2xx dalam 15 detik berarti diterima. Yang lain dicoba lagi 10 kali selama sekitar sehari, dengan jeda
        yang makin panjang: 5 detik, 30 detik, 2 menit, sampai 10 jam. Setelah itu Anda masih bisa menekan{' '}
        <strong>Kirim lagi</strong> di catatan pengiriman, yang disimpan 7 hari.
      </p>
    </>
  ),
})

const rules = (brand: string): Section => ({
  id: 'aturan',
  title: 'Yang perlu program Anda tahu',
  body: (
    <>
      <ul>
        <li>
          Satu kejadian bisa datang dua kali, dengan <code>webhook-id</code> yang sama. Catat yang sudah Anda kerjakan.
        </li>
        <li>Kejadian dari satu siaran datang berurutan. Siaran lain tidak ikut menunggu.</li>
        <li>
          429 atau 503 dengan <code>Retry-After</code> ditunggu selama yang diminta, paling lama sehari.
        </li>
        <li>Pengalihan (3xx) tidak diikuti. Isi alamat akhirnya langsung.</li>
        <li>
          410 mematikan webhook, begitu juga penerima yang gagal terus selama tiga hari. {brand} mengatakannya di layar
          Webhook, dan Anda bisa mengaktifkannya lagi.
        </li>
        <li>
          Paling banyak 10.000 kiriman menunggu di satu webhook, dan 20.000 di semua webhook Anda. Lebih dari itu, yang
          terlama dibuang dan dicatat.
        </li>
        <li>Alamat di jaringan pribadi tidak dihubungi.</li>
      </ul>
    </>
  ),
})

export const sections = (): readonly Section[] => {
  const { brand } = settings()
  return [introduction(brand), form(), events(), verifying(brand), secret(), delivering(), rules(brand)]
}
