import type { bannerKinds, OperatorBanner } from '#contract/operations/banners'
import type { Db, Tx } from '../../platform-database/database.ts'

export type BannerKind = (typeof bannerKinds)[number]
export type NewBanner = OperatorBanner & { kind: BannerKind; ends_at: string | null }
export type BannerStore = ReturnType<typeof bannerStore>

export const bannerStore = (db: Db) => ({
  transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work),

  /** What is shown at this moment. */
  async current(now: Date): Promise<(OperatorBanner & { kind: string })[]> {
    const rows = await db
      .selectFrom('platform.banners')
      .select(['kind', 'message', 'link', 'acknowledgement'])
      .where((e) => e.or([e('ends_at', 'is', null), e('ends_at', '>', now)]))
      .execute()
    return rows.map(({ message, ...row }) => ({ ...row, text: message }))
  },

  async put(tx: Tx, { kind, text, ...rest }: NewBanner): Promise<void> {
    const values = { message: text, ...rest, updated_at: new Date() }
    await tx
      .insertInto('platform.banners')
      .values({ kind, ...values })
      .onConflict((conflict) => conflict.column('kind').doUpdateSet(values))
      .execute()
  },

  async remove(tx: Tx, kind: BannerKind): Promise<boolean> {
    const gone = await tx
      .deleteFrom('platform.banners')
      .where('kind', '=', kind)
      .returning('kind')
      .executeTakeFirst()
    return gone !== undefined
  },
})
