import { describe, expect, it } from 'vitest'
import { alertWords } from './alert-texts.ts'

const said = (details: object) => alertWords('channel.gone', { at: 0, ...details }, 'Asia/Jakarta')

describe('[ALERT-05] what is switched off', () => {
  it('is named once, and what the other side said ends as a sentence', () => {
    const answer = '404 Unknown Webhook'
    expect(said({ channelKind: 'discord', name: 'Discord', answer }).text).toBe(
      'Discord tidak bisa dipakai lagi, jadi kami matikan. Jawabannya: 404 Unknown Webhook. Hubungkan lagi di halaman notifikasi bila masih diperlukan.',
    )
    expect(said({ channelKind: 'discord', name: 'Grup tim', answer: 'Gone.' }).text).toMatch(
      /^Discord “Grup tim” tidak .* Jawabannya: Gone\. Hubungkan/,
    )
  })

  it('may be a webhook, with the way back', () => {
    expect(said({ channelKind: 'webhook', name: 'Bot malam', reason: 'gone' })).toEqual({
      title: 'Webhook dimatikan: Bot malam',
      text: 'Penerima menjawab 410 (sudah tidak ada), jadi webhook dimatikan. Perbaiki penerimanya, lalu aktifkan lagi.',
    })
  })
})
