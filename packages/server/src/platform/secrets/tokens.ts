import { hash, randomBytes } from 'node:crypto'
import { Secret } from '@siarin/media/secret'

/** 256 random bits: long enough that a plain hash is a safe index to look it up by. */
export const newToken = (prefix: string): Secret => new Secret(`${prefix}_${randomBytes(32).toString('base64url')}`)

export const hashToken = (token: string): string => hash('sha256', token, 'base64url')
