import type { Parsed } from '#contract/endpoint'
import type { diagramLayouts as api, DiagramLayout } from '#contract/database/diagram-layouts'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { DiagramStore } from './store.ts'

type Row = Awaited<ReturnType<DiagramStore['list']>>[number]

const shape = (row: Row | undefined): DiagramLayout | null =>
  row
    ? {
        positions: row.positions,
        updated_at: row.updated_at.toISOString(),
        updated_by: row.username,
      }
    : null

/** How people have arranged the diagrams of their schemas. */
export function createDiagrams(store: DiagramStore) {
  async function projectOf(ref: string): Promise<string> {
    const project = await store.projectId(ref)
    if (!project) throw new ApiError('project_not_found')
    return project
  }

  async function get(caller: Caller, { ref, schema }: Parsed<typeof api.get>) {
    const rows = await store.list(await projectOf(ref), caller.userId, schema)
    return {
      own: shape(rows.find(({ owner_id: owner }) => owner !== null)),
      shared: shape(rows.find(({ owner_id: owner }) => owner === null)),
    }
  }

  async function put(caller: Caller, input: Parsed<typeof api.save>, shared: boolean) {
    const project = await projectOf(input.ref)
    const { schema, positions } = input
    const owner = shared ? null : caller.userId
    await store.put({ project, schema, owner, by: caller.userId, positions })
    const { own, shared: everybodys } = await get(caller, input)
    const made = shared ? everybodys : own
    if (!made) throw new ApiError('conflict')
    return made
  }

  return {
    get,
    save: (caller: Caller, input: Parsed<typeof api.save>) => put(caller, input, false),
    share: (caller: Caller, input: Parsed<typeof api.share>) => put(caller, input, true),
    async reset(caller: Caller, { ref, schema }: Parsed<typeof api.reset>) {
      return { removed: await store.remove(await projectOf(ref), caller.userId, schema) }
    },
  }
}
export type Diagrams = ReturnType<typeof createDiagrams>
