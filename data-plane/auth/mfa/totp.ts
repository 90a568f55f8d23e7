import { generateSecret, generateURI, verifySync } from 'otplib'

/** Seconds that one code stands for (RFC 6238); authenticator apps know no other. */
const period = 30

export type TotpKey = {
  /** Base32, for people who type it. */
  secret: string
  /** otpauth:// address, which the picture shows. */
  uri: string
  /** SVG text; clients put it behind `data:image/svg+xml;utf-8,` themselves. */
  picture: string
}

/** A new secret for an authenticator app. */
export async function newTotpKey(issuer: string, account: string): Promise<TotpKey> {
  const secret = generateSecret()
  const uri = generateURI({ issuer, label: account, secret })
  // Few programs ever draw one.
  const { toString } = await import('qrcode')
  const svg = await toString(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  // Behind `data:` a number sign would start a fragment and cut the picture off.
  return { secret, uri, picture: svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black') }
}

/**
 * The time step whose code was given, when it is the present one or one of its neighbours: clocks of telephones are a
 * little off. Undefined for a wrong code, and for every step up to `usedStep`: a code works once (RFC 6238 §5.2).
 */
export function stepOfCode(
  secret: string,
  code: string,
  at: Date,
  usedStep: number | undefined,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const epoch = Math.floor(at.getTime() / 1000)
  const result = verifySync({ secret, token: code, epoch, period, epochTolerance: period })
  if (!result.valid || !('timeStep' in result)) return undefined
  return usedStep !== undefined && result.timeStep <= usedStep ? undefined : result.timeStep
}
