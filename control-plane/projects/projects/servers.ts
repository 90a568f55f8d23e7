import type { Platform, Round } from '../../platform.ts'
import { createHealth } from './health.ts'
import { createPauseByPlatform } from './pause-by-platform.ts'
import { createReconciler, type Stranger } from './reconcile.ts'
import { createSettle } from './settle.ts'
import { createDropReplicas, createTakeDown } from './take-down.ts'
import { projectWorkflows, undoCreation } from './workflows.ts'

type Needs = {
  openPort: Parameters<typeof createSettle>[0]['openPort']
  /** Keeps and reports what no row knows. */
  quarantine: (kind: 'project', found: (Stranger & { name: string })[]) => Promise<void>
}

/** Seconds between two rounds, and between two looks at the health of projects. */
const pace = { round: 60, health: 5 }

/** What looks after the servers of projects: their jobs, their health, and that each is in the state it should be in. */
export function serversFeature(platform: Platform, needs: Needs) {
  const { projects: store, record, jobs, secrets, compute, each, log } = platform
  const settle = createSettle({ store, record, openPort: needs.openPort })
  const health = createHealth({ store, compute, each, log })
  const quarantine = (found: Stranger[]) =>
    needs.quarantine(
      'project',
      found.map((one) => ({ ...one, name: '' })),
    )
  const dropReplicas = createDropReplicas({ store, compute, secrets, log })
  const takeDown = createTakeDown({ store, compute, dropReplicas })
  const reconcile = createReconciler({ store, settle, compute, takeDown, quarantine, each, log })
  return {
    settle,
    health,
    reconcile,
    undoCreation: (ref: string) => undoCreation(compute, ref),
    /** Because of something that a project does to others. */
    pause: createPauseByPlatform({
      store,
      record,
      acceptJob: jobs.accept,
      startJob: jobs.start,
      log,
    }),
    workflows: projectWorkflows({
      store,
      settle,
      compute,
      secrets,
      takeDown,
      dropReplicas,
      log,
    }),
    rounds: serverRounds(reconcile, health.checkAll),
  }
}
export type Servers = ReturnType<typeof serversFeature>

/** Health is not looked at before the first round: what a clean stop had ended is started again there, and was never ill. */
export function serverRounds(
  reconcile: () => Promise<unknown>,
  checkHealth: () => Promise<void>,
): Round[] {
  let isWatched = false
  return [
    {
      seconds: pace.round,
      name: 'reconcile',
      async run() {
        try {
          await reconcile()
        } finally {
          const isFirst = !isWatched
          isWatched = true
          if (isFirst) await checkHealth()
        }
      },
    },
    {
      seconds: pace.health,
      name: 'health',
      run: async () => (isWatched ? checkHealth() : undefined),
    },
  ]
}
