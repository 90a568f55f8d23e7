import { activity } from '#contract/database/activity'
import { databaseAdvisors } from '#contract/observability/advisors'
import { queryPerformance } from '#contract/observability/query-performance'
import { cancelSession, listSessions, terminateSession } from './activity.ts'
import { adviseIndexes } from './index-advice.ts'
import { findLints, type AdvisorFacts } from './lints.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'
import { planOf } from './statement-plan.ts'
import { listStatements, resetStatements } from './statements.ts'

/** What the advisors must know beside the database itself. */
export type AdvisorFactsOf = (ref: string) => Promise<AdvisorFacts>

const usual: AdvisorFactsOf = () =>
  Promise.resolve({ exposedSchemas: ['public', 'graphql_public'], auth: undefined })

/** What a database tells about itself: what is wrong with it, what it spends its time on, and what it does now. */
export const advisorRoutes = (
  read: UseSession,
  readAtOnce: UseSession,
  factsOf: AdvisorFactsOf = usual,
): MetaRoute[] => [
  answer(read, databaseAdvisors.lints, async (db, { ref }) => findLints(db, await factsOf(ref))),
  answer(read, queryPerformance.list, listStatements),
  answer(read, queryPerformance.reset, resetStatements),
  answer(read, queryPerformance.plan, planOf),
  answer(read, queryPerformance.advice, adviseIndexes),
  answer(readAtOnce, activity.list, listSessions),
  answer(readAtOnce, activity.cancel, cancelSession),
  answer(readAtOnce, activity.terminate, terminateSession),
]
