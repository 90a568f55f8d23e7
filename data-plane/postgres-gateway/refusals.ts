/** Why a connection is refused: an SQLSTATE, and a message for whoever connects, with what helps. */
export type Refusal = { code: string; message: string; hint?: string }

export const invalidPacket: Refusal = {
  code: '08P01',
  message:
    'invalid startup packet layout: each parameter stands once, with a terminator at the end',
}
export const dataBeforeAnswer: Refusal = {
  code: '08P01',
  message: 'received unencrypted data after SSL request',
}
export const noProtocol: Refusal = {
  code: '08P01',
  message: 'received direct SSL connection request without ALPN protocol negotiation extension',
}
export const sslRequired: Refusal = {
  code: '28000',
  message: 'SSL connection is required: this project takes encrypted connections only',
  hint: 'Set sslmode to require, or to verify-full with the certificate of this installation.',
}
export const otherHost = (host: string): Refusal => ({
  code: '28000',
  message: `the host ${host} is of another project than the one that is named`,
})
export const unsupportedProtocol = (code: number): Refusal => ({
  code: '0A000',
  message: `unsupported frontend protocol ${code >>> 16}.${code & 0xffff}: server supports 3.0 to 3.0`,
})
export const networkRefused = (address: string): Refusal => ({
  code: '28000',
  message: `connections from ${address} are not allowed: the network restrictions of this project do not include this address`,
})
export const loginRefused = (user: string): Refusal => ({
  code: '28000',
  message: `role "${user}" is not permitted to connect over the network`,
})
export const tooMany: Refusal = { code: '53300', message: 'sorry, too many clients already' }
export const notRunning: Refusal = {
  code: '57P03',
  message: 'the database system is not accepting connections: it is starting up or stopped',
}
export const paused = (resumeUrl: string): Refusal => ({
  code: '57P03',
  message: 'the project is paused: resume it in the dashboard, then connect again',
  hint: resumeUrl,
})
export const otherStorage = (user: string): Refusal => ({
  code: '28000',
  message: `the password of role "${user}" is not stored as SCRAM-SHA-256, which this port asks for`,
  hint: 'Set the password again: ALTER ROLE ... PASSWORD stores it as password_encryption says.',
})
export const tooSlow: Refusal = {
  code: '08006',
  message: 'the startup packet did not arrive within 10 seconds',
}

/** As a message of the protocol, in the shape of a server's own. */
export function refusalMessage({ code, message, hint }: Refusal): Buffer {
  const help = hint === undefined ? '' : `H${hint}\0`
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0${help}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
