import type { Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { BannerKind, BannerStore, NewBanner } from './store.ts'

type Options = { store: BannerStore; record: RecordChange; now?: () => Date }

/** What the operator tells everybody above every page (requirements §2). */
export function createBanners({ store, record, now = () => new Date() }: Options) {
  const operator = (
    action: string,
    kind: string,
    change: Record<string, unknown>,
    origin: Origin,
  ) => ({
    organizationId: null,
    actor: null,
    action,
    target: `banner:${kind}`,
    change,
    origin,
  })

  return {
    async current() {
      const rows = await store.current(now())
      const of = (kind: BannerKind) => rows.find((row) => row.kind === kind) ?? null
      return { incident: of('incident'), notice: of('notice') }
    },

    async set(banner: NewBanner, origin: Origin): Promise<{ kind: BannerKind }> {
      const { kind, ...change } = banner
      await store.transaction(async (tx) => {
        await store.put(tx, banner)
        await record(tx, operator('banners.set', kind, change, origin))
      })
      return { kind }
    },

    async clear(kind: BannerKind, origin: Origin): Promise<{ cleared: boolean }> {
      const cleared = await store.transaction(async (tx) => {
        const gone = await store.remove(tx, kind)
        if (gone) await record(tx, operator('banners.clear', kind, {}, origin))
        return gone
      })
      return { cleared }
    },
  }
}
export type Banners = ReturnType<typeof createBanners>
