import { describe, expect, it } from 'vitest'
import { isMedia, SIGNATURE_BYTES } from './media-signature.ts'

const box = (type: string) => Buffer.from(`\0\0\0\x18${type}....`, 'latin1')
const packets = Buffer.alloc(SIGNATURE_BYTES)
packets[0] = 0x47
packets[188] = 0x47

describe('the first bytes', () => {
  it.each([
    ['a transport stream', packets],
    ['a short transport stream', packets.subarray(0, 188)],
    ['the head of an MP4', box('ftyp')],
    ['a fragment of an MP4', box('moof')],
    ['a fragment that begins with its type', box('styp')],
    ['AAC', Buffer.from([0xff, 0xf1, 0x50])],
    ['MP3', Buffer.from([0xff, 0xfb, 0x90])],
    ['sound behind an ID3 tag', Buffer.from('ID3\x04')],
    ['AC-3', Buffer.from([0x0b, 0x77, 1])],
    ['WebM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1])],
    ['captions', Buffer.from('WEBVTT\n\n')],
    ['captions behind a byte order mark', Buffer.from('\uFEFFWEBVTT')],
  ])('of %s are media', (_name, head) => {
    expect(isMedia(head)).toBe(true)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><script>')],
    ['a word with the first letter of a packet', Buffer.from('G'.padEnd(SIGNATURE_BYTES, 'o'))],
    ['JSON', Buffer.from('{"secret":1}')],
    ['UTF-16', Buffer.from([0xff, 0xfe, 0x3c, 0])],
    ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a word that begins like captions', Buffer.from('WEBVTTX')],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01', 'latin1')],
  ])('of %s are not', (_name, head) => {
    expect(isMedia(head)).toBe(false)
  })
})
