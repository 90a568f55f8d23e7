import { transfer as api } from '#contract/organizations/transfer'
import { implement } from '#kit/http'
import type { Transfer } from './transfer.ts'

export const transferRoutes = (transfer: Transfer) => [
  implement(api.preview, (input, caller) => transfer.preview(caller, input)),
  implement(api.run, (input, caller, origin) => transfer.run(caller, input, origin)),
]
