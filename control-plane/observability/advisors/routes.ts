import { advisors as api } from '#contract/observability/advisors'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'
import type { Advisors } from './advisors.ts'

export const advisorRoutes = (advisors: Advisors) => [
  implement(api.lints, ({ ref }) => advisors.lints(ref)),
  implement(api.exceptions, ({ ref }, caller) => advisors.list(caller, ref)),
  implement(api.addException, (input, caller, origin) => advisors.add(caller, input, origin)),
  implement(api.removeException, (input, caller, origin) => advisors.remove(caller, input, origin)),
  implement(v1.securityAdvisors, ({ ref }) => advisors.of(ref, 'SECURITY')),
  implement(v1.performanceAdvisors, ({ ref }) => advisors.of(ref, 'PERFORMANCE')),
]
