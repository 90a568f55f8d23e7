import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number().int().min(1).max(65_535)

/** HTTPS without a reverse proxy, and who gives the certificates for it. */
export const httpsEnvironment = {
  PLINTH_HTTPS_PORT: port.optional(),
  PLINTH_HTTP_CHALLENGE_PORT: port.optional(),
  PLINTH_HTTPS_DASHBOARD: z.enum(['on', 'off']).default('on'),
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

/** What an authority could give a certificate to: neither an address nor a name of this machine or network alone. */
const isOrderable = (host: string) =>
  isIP(host.replace(/^\[|\]$/g, '')) === 0 && host.includes('.') && !host.endsWith('.localhost')

/**
 * The installation's own names, as far as they are served at the HTTPS port. People write the port of its addresses, whatever leads from
 * there to ours: an address with another one is somebody else's to serve.
 */
function ownNames(e: Environment, url: string, projectUrl: string, publicPort: number) {
  const [dashboard, projects] = [new URL(url), new URL(projectUrl.replaceAll('{ref}', 'ref'))]
  const isHere = ({ protocol, port: written }: URL) =>
    protocol === 'https:' && Number(written || 443) === publicPort
  const hasRefInHost = /^https?:\/\/[^/]*\{ref\}/.test(projectUrl)
  const ofDashboard =
    e.PLINTH_HTTPS_DASHBOARD === 'on' && isHere(dashboard) ? dashboard.hostname : undefined
  const ofProjects = isHere(projects) && !hasRefInHost ? projects.hostname : undefined
  return {
    /** The dashboard and the platform API; undefined: they are not served there. */
    dashboard: ofDashboard,
    /** Those that an authority can give a certificate to. */
    names: [ofDashboard, ofProjects].filter(
      (name): name is string => name !== undefined && isOrderable(name),
    ),
    /** Each project has a name below a domain, for which there has to be a certificate in files. */
    wildcard:
      isHere(projects) && hasRefInHost ? projects.hostname.replace(/^[^.]*/, '*') : undefined,
    /** One name leads to both. */
    isOneName: ofDashboard !== undefined && ofDashboard === ofProjects,
  }
}

/** What is wrong with them and the addresses of the installation together. */
export const httpsNamesProblem = ({ https }: ReturnType<typeof httpsSettings>) =>
  https?.isOneName
    ? `PLINTH_URL and PLINTH_PROJECT_URL: both name ${https.dashboard}; over HTTPS the dashboard and the projects need host names of their own`
    : undefined

export function httpsSettings(e: Environment, url: string, projectUrl: string) {
  const { PLINTH_HTTPS_CERTIFICATE: certificate, PLINTH_HTTPS_KEY: key } = e
  const { protocol, port: written } = new URL(projectUrl.replaceAll('{ref}', 'ref'))
  const publicPort = protocol === 'https:' ? Number(written || 443) : e.PLINTH_HTTPS_PORT
  return {
    /** Undefined: a proxy terminates TLS, or nobody. */
    https:
      e.PLINTH_HTTPS_PORT === undefined || publicPort === undefined
        ? undefined
        : {
            port: e.PLINTH_HTTPS_PORT,
            publicPort,
            challengePort: e.PLINTH_HTTP_CHALLENGE_PORT,
            /** Files (PEM) of the operator, for the names of the installation. */
            own:
              certificate !== undefined && key !== undefined
                ? { certificate: resolve(certificate), key: resolve(key) }
                : undefined,
            ...ownNames(e, url, projectUrl, publicPort),
          },
    /** Undefined: no certificates are ordered. `ca` is a file (PEM). */
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
