import type { Config } from '#kit/config'

/** What whoever starts the platform should know of its HTTPS port: a line each. */
export function httpsNotes({ https, acme }: Pick<Config, 'https' | 'acme'>): string[] {
  if (!https) return []
  const { names, wildcard, own } = https
  const isProved = acme !== undefined || own !== undefined
  return [
    ...(acme && names.length > 0 && !own
      ? [`https: Plinth gets the certificates of ${names.join(' and ')} by itself`]
      : []),
    ...(wildcard !== undefined && !own
      ? [
          `https: no certificate for ${wildcard} can be got by itself (HTTP-01); give one with PLINTH_HTTPS_CERTIFICATE`,
        ]
      : []),
    ...(!isProved && names.length > 0
      ? [
          `https: nothing proves ${names.join(' and ')}; set PLINTH_ACME_DIRECTORY or PLINTH_HTTPS_CERTIFICATE`,
        ]
      : []),
    ...(acme && names.length > 0 && !own && https.challengePort === undefined
      ? [
          'https: certificate authorities ask at port 80; set PLINTH_HTTP_CHALLENGE_PORT, or lead their questions to another port of Plinth',
        ]
      : []),
  ]
}
