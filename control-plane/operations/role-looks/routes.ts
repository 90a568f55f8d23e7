import { roleLooks as api } from '#contract/operations/role-looks'
import { implementOpen } from '#kit/http'
import type { RoleLookStore } from './store.ts'

export const roleLookRoutes = (store: RoleLookStore) => [
  implementOpen(api.list, async () => {
    const all = await store.list()
    const told = all.filter(({ findings, failure }) => findings.length > 0 || failure !== null)
    return {
      projects: all.length,
      looks: told.map(({ looked_at, ...look }) => ({
        ...look,
        looked_at: looked_at.toISOString(),
      })),
    }
  }),
]
