import type { Platform } from '../../platform.ts'
import { createAdvisors, type Advisors } from './advisors.ts'
import { advisorStore } from './store.ts'
import { advisors as api } from '#contract/observability/advisors'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'

type Needs = Pick<Parameters<typeof createAdvisors>[0], 'readLints'>

/** What is found to be wrong with projects. */
export const advisorsFeature = ({ db, record, mode }: Platform, { readLints }: Needs) => ({
  routes: advisorRoutes(
    createAdvisors({
      store: advisorStore(db),
      record,
      readLints,
      hasMembers: mode !== 'self-hosted',
    }),
  ),
})

const advisorRoutes = (advisors: Advisors) => [
  implement(api.lints, ({ ref }) => advisors.lints(ref)),
  implement(api.exceptions, ({ ref }, caller) => advisors.list(caller, ref)),
  implement(api.addException, (input, caller, origin) => advisors.add(caller, input, origin)),
  implement(api.removeException, (input, caller, origin) => advisors.remove(caller, input, origin)),
  implement(v1.securityAdvisors, ({ ref }) => advisors.of(ref, 'SECURITY')),
  implement(v1.performanceAdvisors, ({ ref }) => advisors.of(ref, 'PERFORMANCE')),
]
