import { setTimeout as delay } from 'node:timers/promises'

/** Somebody who uses the platform's API as a script does. */
export type Person = { token: string; call: Call }
type Call = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>

async function read(response: Response) {
  const text = await response.text()
  // Every answer asked for here is a JSON object or list; what it holds is for the test to say.
  const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>
  return { status: response.status, body, headers: response.headers }
}

/** Who this token stands for. */
export function personWith(url: string, token: string): Person {
  const call: Call = async (method, path, body, headers = {}) =>
    read(
      await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )
  return { token, call }
}

/** Somebody with an account: also what a browser keeps while they are signed in. */
export type Account = Person & { email: string; session: Record<string, unknown> }

/** Signs up and gets a profile, as the dashboard does for a newcomer. */
export async function signUp(
  url: string,
  email: string,
  password = 'Str0ng-enough!',
): Promise<Account> {
  const response = await read(
    await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    }),
  )
  const token = response.body['access_token']
  if (typeof token !== 'string') throw new Error(`Sign-up failed: ${JSON.stringify(response.body)}`)
  const person = personWith(url, token)
  const profile = await person.call('POST', '/platform/profile')
  if (profile.status !== 201)
    throw new Error(`No profile was made: ${JSON.stringify(profile.body)}`)
  return { ...person, email, session: response.body }
}

export const databasePassword = 'a long and winding password 42!'

export async function createOrganization(
  person: Person,
  name: string,
  tier = 'tier_pro',
): Promise<string> {
  const made = await person.call('POST', '/platform/organizations', {
    name,
    kind: 'PERSONAL',
    tier,
  })
  if (made.status !== 201) throw new Error(`No organization was made: ${JSON.stringify(made.body)}`)
  return String(made.body['slug'])
}

export type Project = { ref: string; endpoint: string; anonKey: string; serviceKey: string }

export async function createProject(
  person: Person,
  slug: string,
  name: string,
  size = 'micro',
): Promise<Project> {
  const { status, body } = await person.call('POST', '/platform/projects', {
    name,
    organization_slug: slug,
    db_pass: databasePassword,
    db_region: 'eu-central-1',
    cloud_provider: 'AWS',
    desired_instance_size: size,
  })
  if (status !== 201) throw new Error(`Project was not accepted: ${JSON.stringify(body)}`)
  return {
    ref: String(body['ref']),
    endpoint: String(body['endpoint']),
    anonKey: String(body['anon_key']),
    serviceKey: String(body['service_key']),
  }
}

/** Asks until the project has one of these statuses (or is gone: '404'); fails with the last one. */
export async function reaches(
  person: Person,
  ref: string,
  wanted: readonly string[],
  deadlineMs = 120_000,
): Promise<string> {
  const deadline = Date.now() + deadlineMs
  let last = ''
  while (Date.now() < deadline) {
    // While a control plane is away there is no answer at all, which is what a fault test waits out.
    const answer = await person
      .call('GET', `/platform/projects/${ref}/status`)
      .catch(() => undefined)
    const status = answer?.body['status']
    last = typeof status === 'string' ? status : String(answer?.status ?? 'no answer')
    if (wanted.includes(last)) return last
    await delay(25)
  }
  throw new Error(`${ref} is ${last} and not ${wanted.join(' or ')}`)
}

/** Runs SQL in a project as the SQL editor does. */
export async function runSql(person: Person, ref: string, query: string): Promise<unknown> {
  const detail = await person.call('GET', `/platform/projects/${ref}`)
  const marker = String(detail.body['connectionString'])
  const answer = await person.call(
    'POST',
    `/platform/pg-meta/${ref}/query`,
    { query },
    { 'x-connection-encrypted': marker },
  )
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
