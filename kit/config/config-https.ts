import { resolve } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number().int().min(1).max(65_535)

/** HTTPS without a reverse proxy, and who gives the certificates of custom hostnames. */
export const httpsEnvironment = {
  PLINTH_HTTPS_PORT: port.optional(),
  PLINTH_HTTP_CHALLENGE_PORT: port.optional(),
  PLINTH_HTTPS_CERTIFICATE: z.string().min(1).optional(),
  PLINTH_HTTPS_KEY: z.string().min(1).optional(),
  PLINTH_ACME_DIRECTORY: z
    .string()
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      message: 'must start with https:// or http://',
    })
    .optional(),
  PLINTH_ACME_EMAIL: z.email().optional(),
  PLINTH_ACME_TERMS: z.literal('agreed', 'must be agreed').optional(),
  PLINTH_ACME_CA: z.string().min(1).optional(),
}
type Environment = z.infer<z.ZodObject<typeof httpsEnvironment>>

/** What is wrong with the settings together; undefined when nothing is. */
export function httpsProblem(e: Environment): string | undefined {
  if ((e.PLINTH_HTTPS_CERTIFICATE === undefined) !== (e.PLINTH_HTTPS_KEY === undefined))
    return 'PLINTH_HTTPS_CERTIFICATE and PLINTH_HTTPS_KEY: one of them needs the other'
  if (e.PLINTH_HTTPS_PORT === undefined) {
    const lonely = (
      ['PLINTH_HTTP_CHALLENGE_PORT', 'PLINTH_HTTPS_CERTIFICATE', 'PLINTH_ACME_DIRECTORY'] as const
    ).find((name) => e[name] !== undefined)
    if (lonely) return `${lonely}: needs PLINTH_HTTPS_PORT`
  }
  if (e.PLINTH_ACME_DIRECTORY === undefined) {
    const lonely = (['PLINTH_ACME_EMAIL', 'PLINTH_ACME_TERMS', 'PLINTH_ACME_CA'] as const).find(
      (name) => e[name] !== undefined,
    )
    return lonely && `${lonely}: needs PLINTH_ACME_DIRECTORY`
  }
  return e.PLINTH_ACME_TERMS === undefined
    ? 'PLINTH_ACME_DIRECTORY: read the terms of service of this authority and set PLINTH_ACME_TERMS=agreed'
    : undefined
}

/** `projectUrl`: people write the port that stands there, whatever leads from it to ours. */
export function httpsSettings(e: Environment, projectUrl: string) {
  const { PLINTH_HTTPS_CERTIFICATE: certificate, PLINTH_HTTPS_KEY: key } = e
  const { protocol, port: written } = new URL(projectUrl.replaceAll('{ref}', 'ref'))
  return {
    /** Undefined: a proxy terminates TLS, or nobody. */
    https:
      e.PLINTH_HTTPS_PORT === undefined
        ? undefined
        : {
            port: e.PLINTH_HTTPS_PORT,
            publicPort: protocol === 'https:' ? Number(written || 443) : e.PLINTH_HTTPS_PORT,
            challengePort: e.PLINTH_HTTP_CHALLENGE_PORT,
            /** Files (PEM) of the operator, for the names of the installation. */
            own:
              certificate !== undefined && key !== undefined
                ? { certificate: resolve(certificate), key: resolve(key) }
                : undefined,
          },
    /** Undefined: certificates of custom hostnames are no matter of ours. `ca` is a file (PEM). */
    acme:
      e.PLINTH_ACME_DIRECTORY === undefined
        ? undefined
        : {
            directory: e.PLINTH_ACME_DIRECTORY,
            email: e.PLINTH_ACME_EMAIL,
            ca: e.PLINTH_ACME_CA && resolve(e.PLINTH_ACME_CA),
          },
  }
}
