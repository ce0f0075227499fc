import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { DEFAULT_CIPHERS } from 'node:tls'

/**
 * For every call to a server of somebody else's choosing.
 * - Not Diffie-Hellman with numbers that the server chooses: with the largest that OpenSSL takes, each handshake holds the event loop for a second,
 *   before the certificate is looked at. Servers that offer nothing else are long gone.
 * - Not TLS 1.3: a server may change its key (KeyUpdate) without end, and OpenSSL works through all that has come before it hands anything on, a second
 *   long. A server that speaks TLS 1.3 alone cannot be reached.
 * - No second handshake, which servers of TLS 1.2 may ask for without end.
 */
export const STRANGERS_TLS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  maxVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const

/** What Node calls with each handshake that begins; it looks at it in servers alone. */
type Handled = Socket & { readonly _handle?: { onhandshakestart?: () => void } | null }

/** OpenSSL only refuses a second handshake, and goes on: a flood of wishes for one holds the event loop as long. The first ends the connection. */
export function endAtSecondHandshake(socket: Handled): void {
  socket.once('secureConnect', () => {
    if (!socket._handle) return
    socket._handle.onhandshakestart = () => socket.destroy(new Error('the server asks for a second handshake'))
  })
}
