import { support as api } from '#contract/people/support'
import { implement } from '#kit/http'
import type { Support } from './support.ts'

export const supportRoutes = (support: Support) => [
  implement(api.attach, (input, caller) => support.attach(caller, input)),
  implement(api.send, (input, caller) => support.send(caller, input)),
]
