import { describe, expect, it } from 'vitest'
import { Secret } from '../secret.ts'
import { flvSlave } from './output.ts'
import { recordOutput, recordSlave } from './record.ts'

const plan = { folder: 'recording/host/7/1700000000000', pieceSeconds: 10 }

describe('[REC-02] the recorder beside a broadcast', () => {
  it('is this one: a queue that never makes anybody wait, pieces by key frames, and a list of them', () => {
    expect(recordSlave(plan)).toBe(
      '[f=segment:segment_time=10:segment_format=mpegts:' +
        'segment_list=recording/host/7/1700000000000/list.csv:segment_list_type=csv:' +
        'use_fifo=1:fifo_options=queue_size=2048\\\\\\:drop_pkts_on_overflow=1\\\\\\:restart_with_keyframe=1:' +
        'onfail=ignore]recording/host/7/1700000000000/%06d.ts',
    )
  })

  it('is not the last slave of its output, whose end would be the end of the broadcast', () => {
    expect(recordOutput(plan)).toEqual(['-f', 'tee', `${recordSlave(plan)}|[f=null]-`])
  })

  it.each(['a b', 'a|b', 'a:b', "a'b", 'a%d', 'a]b', '', '-a', '/data'])(
    'refuses a folder that a muxer reads otherwise: %j',
    (folder) => {
      expect(() => recordSlave({ ...plan, folder })).toThrow('no folder')
    },
  )
})

describe('the target as a slave', () => {
  it('has the options of a broadcast, and ends it where it fails', () => {
    expect(flvSlave({ target: new Secret('rtmps://h.example/app/key?a=1'), address: '8.8.8.8' })).toBe(
      '[f=flv:onfail=abort:flvflags=no_duration_filesize:rw_timeout=10000000:tls_verify=1:' +
        'rtmp_tcurl=rtmps\\\\://h.example\\\\:1935/app]rtmps://8.8.8.8:1935/app/key?a=1',
    )
  })

  it('keeps a key whole that holds what tells slaves apart', () => {
    expect(flvSlave({ target: new Secret("rtmp://h/app/a|b'c[d]") })).toMatch(/\]rtmp:\/\/h\/app\/a\\\|b\\'c\[d\]$/)
  })
})
