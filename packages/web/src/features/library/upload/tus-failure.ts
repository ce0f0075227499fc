import type { ErrorAnswer } from '@siarin/contracts/answers'
import { DetailedError, type HttpResponse } from 'tus-js-client'
import type { UploadFailure } from './retry.ts'

/** An answer that tus-js-client would take for a reason to begin anew. */
export class HeadRefused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`HEAD answered ${status}`)
    this.status = status
  }
}

function refusalOf(response: HttpResponse): Pick<UploadFailure, 'message' | 'code' | 'reasonCode'> {
  try {
    const { message, code = null, reasonCode = null } = JSON.parse(response.getBody()) as Partial<ErrorAnswer>
    return { message: typeof message === 'string' && message !== '' ? message : null, code, reasonCode }
  } catch {
    return { message: null }
  }
}

export function failureOf(error: Error): UploadFailure {
  if (!(error instanceof DetailedError)) return { method: '', status: null, message: null }
  const { originalRequest, originalResponse, causingError } = error
  const method = originalRequest.getMethod()
  if (causingError instanceof HeadRefused) return { method, status: causingError.status, message: null }
  if (!originalResponse) return { method, status: null, message: null }
  return { method, status: originalResponse.getStatus(), ...refusalOf(originalResponse) }
}
