import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../errors.ts'
import { EgressRefused } from '../../platform/egress/egress.ts'
import { DownloadRefused } from '../../platform/egress/guarded-download.ts'
import { sourceFault } from './source-faults.ts'

const named = (name: string): Error => Object.assign(new Error('over'), { name })
const coded = (code: string): Error => Object.assign(new Error('broken'), { code })

describe('a person whose source cannot be had hears why', () => {
  it.each([
    ['an address of no kind', new EgressRefused('invalid'), 'source_invalid', ONLINE_TEXTS.urlInvalid],
    ['an address inside', new EgressRefused('forbidden'), 'source_forbidden', ONLINE_TEXTS.urlForbidden],
    ['an unknown name', new EgressRefused('unknown-host'), 'source_invalid', ONLINE_TEXTS.urlUnknownHost],
    [
      'a redirect to an unknown name',
      new DownloadRefused('forbidden', null, new EgressRefused('unknown-host')),
      'source_invalid',
      ONLINE_TEXTS.urlUnknownHost,
    ],
    [
      'a redirect to the inside',
      new DownloadRefused('forbidden', null, new EgressRefused('forbidden')),
      'source_forbidden',
      ONLINE_TEXTS.urlForbidden,
    ],
    ['nobody there', new DownloadRefused('unreachable'), 'source_unreachable', ONLINE_TEXTS.urlUnreachable],
    ['a page that is gone', new DownloadRefused('status', 404), 'source_unreachable', ONLINE_TEXTS.urlAnswered(404)],
    ['time that is up', named('TimeoutError'), 'source_unreachable', ONLINE_TEXTS.urlUnreachable],
    ['a request that was ended', named('AbortError'), 'source_unreachable', ONLINE_TEXTS.urlUnreachable],
    ['a broken connection', coded('ECONNRESET'), 'source_unreachable', ONLINE_TEXTS.urlUnreachable],
  ])('%s', (_, error, code, message) => {
    const fault = sourceFault(error)
    expect(fault).toBeInstanceOf(DomainError)
    expect(fault).toMatchObject({ code, message })
  })

  it.each([
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a name that ends like one of them', named('NotAbortError')],
    ['a name that begins like one of them', named('TimeoutErrorAtAll')],
    ['what was told already', new DomainError('not_found', 'Tidak ada.')],
    ['no error', 'ECONNRESET'],
    ['a thing with a code', { code: 'ECONNRESET' }],
  ])('but %s stays as it is', (_, error) => {
    expect(sourceFault(error)).toBe(error)
  })
})
