import { expect, vi } from 'vitest'
import { Branch } from '#contract/projects/branches'
import type { World } from './world.ts'

/** What tests of branches do to the project of a world and to its branches, as its owner. */
export function branchBench(world: World) {
  const path = `/platform/projects/${world.ref}/branches`

  async function sqlOf(ref: string, query: string): Promise<unknown[]> {
    const answer = await world.ada.call('POST', `/v1/projects/${ref}/database/query`, { query })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return Object.values(answer.body)
  }
  async function list(ref = world.ref): Promise<Branch[]> {
    const { body } = await world.ada.call('GET', `/platform/projects/${ref}/branches`)
    return Branch.array().parse(body['branches'])
  }
  /** Once nothing is being done to it. */
  const atRest = (id: string): Promise<Branch> =>
    vi.waitFor(
      async () => {
        const branch = (await list()).find((one) => one.id === id)
        if (!branch || branch.busy) throw new Error('It is busy')
        return branch
      },
      { timeout: 120_000, interval: 50 },
    )

  return {
    path,
    sqlOf,
    list,
    atRest,
    /** A change of the structure that is recorded as a migration. */
    async change(ref: string, name: string, ...statements: string[]): Promise<void> {
      const made = await world.ada.call('POST', `/v1/projects/${ref}/database/migrations`, {
        name,
        query: statements.join(';'),
      })
      expect(made.status, JSON.stringify(made.body)).toBe(200)
    },
    async make(name: string): Promise<Branch> {
      const made = await world.ada.call('POST', path, { name })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return atRest(Branch.parse(made.body).id)
    },
    /** The names of its tables. */
    async tables(ref: string): Promise<string[]> {
      const rows = await sqlOf(
        ref,
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
      )
      return rows.map((row) => (row as { relname: string }).relname)
    },
  }
}
