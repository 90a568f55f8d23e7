import { expect } from 'vitest'
import type { Person } from '../client.ts'

/** A change of the structure that is recorded as a migration, which is what a merge carries. */
export async function migrate(
  person: Person,
  ref: string,
  name: string,
  query: string,
): Promise<void> {
  const path = `/v1/projects/${ref}/database/migrations`
  const made = await person.call('POST', path, { name, query })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
}

/** Deploys a function of one file. */
export async function deploy(
  person: Person,
  ref: string,
  slug: string,
  source: string,
): Promise<void> {
  const made = await person.call('POST', `/v1/projects/${ref}/functions/deploy?slug=${slug}`, {
    metadata: { entrypoint_path: 'index.ts' },
    file: [{ path: 'index.ts', content: Buffer.from(source).toString('base64') }],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
}

/** The project that a branch is. */
export async function branchRef(person: Person, ref: string, name: string): Promise<string> {
  const { body } = await person.call('GET', `/v1/projects/${ref}/branches/${name}`)
  return String(body['project_ref'])
}
