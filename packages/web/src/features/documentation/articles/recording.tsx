import { PLANS, recordingWords } from '@siarin/contracts/plans'
import { RECORDING_MAX_HOURS } from '@siarin/contracts/recordings'
import { Link } from 'react-router'
import { Note } from '../components/note.tsx'
import type { Section } from './section.ts'

const keptByPlan = (): string => PLANS.map(({ name, limits }) => `${name} ${recordingWords(limits)}`).join(', ')

export const recording = (): Section => ({
  id: 'rekaman',
  title: 'Merekam siaran',
  body: (
    <>
      <p>
        Centang <strong>Rekam siaran</strong> di tab <strong>Go</strong> atau di jadwal. Yang benar-benar dikirim, juga
        setiap kali siarannya terputus, lalu ada di <Link to="/fitur/rekaman">Rekaman</Link>, bahkan selagi masih
        tayang.
      </p>
      <ul>
        <li>
          <strong>Garis waktu</strong> mengikuti jam sebenarnya. Celah kuning adalah saat siaran tidak tayang; sentuh
          tandanya untuk membaca sebabnya.
        </li>
        <li>
          Geser kedua pegangannya, atau putar sampai tempatnya lalu tekan <strong>Mulai dari sini</strong> dan{' '}
          <strong>Sampai di sini</strong>, untuk memilih satu bagian. <strong>Unduh</strong> menyimpannya di perangkat
          Anda, dan <strong>Pakai sebagai video</strong> menaruhnya di perpustakaan untuk disiarkan lagi.
        </li>
        <li>
          Rekaman video dan playlist tidak memakan ruang: yang diputar adalah videonya sendiri. Karena itu video yang
          masih dipakai rekaman tidak bisa dihapus. Rekaman sumber online memakai ruang penyimpanan Anda.
        </li>
        <li>
          Satu rekaman paling lama {RECORDING_MAX_HOURS} jam. Siaran yang lebih lama punya beberapa, yang saling
          menyambung.
        </li>
      </ul>
      <Note>
        <p>
          Rekaman disimpan menurut paket: {keptByPlan()}. Tanggalnya tertulis di setiap rekaman, dan sehari sebelumnya
          Anda dikabari.
        </p>
      </Note>
    </>
  ),
})
