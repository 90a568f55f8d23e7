import { SignJWT } from 'jose'
import { newSecret } from '#kit/ids'

/** Everything secret about one project. Sealed as a whole in its row. */
export type ProjectSecrets = {
  /** Of role postgres, chosen by the person who made the project. */
  dbPassword: string
  /** Of the services' login roles. */
  servicePassword: string
  /** Of the bootstrap superuser, which only the platform uses. */
  adminPassword: string
  jwtSecret: string
  anonKey: string
  serviceKey: string
}

/** What a project is called in the audit log, and what its secrets are sealed for. */
export const projectIdentity = (ref: string) => `project:${ref}`

const tenYears = 10 * 365 * 24 * 3600

/** A key that clients send as `apikey`: a token that names the project and a role, valid for ten years. */
async function signKey(ref: string, role: 'anon' | 'service_role', secret: string, now: Date) {
  const issued = Math.floor(now.getTime() / 1000)
  return new SignJWT({ ref, role })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('plinth')
    .setIssuedAt(issued)
    .setExpirationTime(issued + tenYears)
    .sign(new TextEncoder().encode(secret))
}

export async function newProjectSecrets(
  ref: string,
  dbPassword: string,
  now: Date,
): Promise<ProjectSecrets> {
  const jwtSecret = newSecret()
  return {
    dbPassword,
    servicePassword: newSecret(),
    adminPassword: newSecret(),
    jwtSecret,
    anonKey: await signKey(ref, 'anon', jwtSecret, now),
    serviceKey: await signKey(ref, 'service_role', jwtSecret, now),
  }
}
