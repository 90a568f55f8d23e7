import type { Platform } from '../../platform.ts'
import { transferRoutes } from './routes.ts'
import { transferStore } from './store.ts'
import { createTransfer } from './transfer.ts'

type Needs = Pick<Parameters<typeof createTransfer>[0], 'free'>

/** Projects that go to another organization. */
export const transferFeature = ({ db, record }: Platform, { free }: Needs) => ({
  routes: transferRoutes(createTransfer({ store: transferStore(db), record, free })),
})
