import type { Platform } from '../../platform.ts'
import { transferStore } from './store.ts'
import { createTransfer, type Transfer } from './transfer.ts'
import { transfer as api } from '#contract/organizations/transfer'
import { implement } from '#kit/http'

type Needs = Pick<Parameters<typeof createTransfer>[0], 'free'>

/** Projects that go to another organization. */
export const transferFeature = ({ db, record }: Platform, { free }: Needs) => ({
  routes: transferRoutes(createTransfer({ store: transferStore(db), record, free })),
})

const transferRoutes = (transfer: Transfer) => [
  implement(api.preview, (input, caller) => transfer.preview(caller, input)),
  implement(api.run, (input, caller, origin) => transfer.run(caller, input, origin)),
]
