import { DEFAULT_CIPHERS } from 'node:tls'

/**
 * For every call to a server of somebody else's choosing. Not Diffie-Hellman with numbers that the server chooses: with the largest that OpenSSL
 * takes, each handshake holds the event loop for a second, before the certificate is looked at. Servers that offer nothing else are long gone.
 */
export const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`
