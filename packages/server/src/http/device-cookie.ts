import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from './origin.ts'

const NAME = 'siarin_device'
const A_YEAR_SECONDS = 365 * 86_400

/** No script reads it: a stolen session token comes without it. */
export function keepDeviceToken(reply: FastifyReply, request: FastifyRequest, publicUrl: string | null, token: string) {
  const secure = originOf(publicUrl, request).startsWith('https:') ? '; Secure' : ''
  return reply.header(
    'Set-Cookie',
    `${NAME}=${token}; Path=/; Max-Age=${A_YEAR_SECONDS}; HttpOnly; SameSite=Strict${secure}`,
  )
}

export function deviceTokenOf(request: FastifyRequest): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=')
    if (name === NAME && value !== '') return value
  }
  return null
}
