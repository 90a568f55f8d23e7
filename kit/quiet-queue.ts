import { setTimeout as delay } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue'
import { workflowTimeoutConfig } from '@dbos-inc/dbos-sdk/internal/workflow_management'

const [secondMs, hourMs] = [1000, 3_600_000]

/** The queue through which the library takes up, at a start, what a process left that died. */
const queueName = '_dbos_internal_queue'

/**
 * Launches the job library without what jobs have no use for. By itself it asks its database five things every second, for
 * queues, delays and time limits of its own, and looks ten times a second for traces to send: most of what a platform
 * cost on which nobody did anything.
 */
export async function launchQuietly(): Promise<void> {
  const { constructor: runner } = wfQueueRunner
  for (const name of ['reconcileIntervalMs', 'transitionIntervalMs']) {
    // Without them a new version of the library would quietly ask every second again.
    if (!(name in runner)) throw new Error(`The job library does not have ${name} any more`)
    Object.assign(runner, { [name]: hourMs })
  }
  workflowTimeoutConfig.pollingIntervalMs = hourMs
  await DBOS.launch()
  // Its log goes on; this ends the sending of it.
  await DBOSExecutor.globalInstance?.logger.destroy()
}

/** Puts what these programs left into the queue, from which any program takes it. */
export async function takeUpJobsOf(executors: string[]): Promise<void> {
  const { globalInstance: library } = DBOSExecutor
  if (!library) throw new Error('The job library is not launched')
  await library.recoverPendingWorkflows(executors)
}

/**
 * Asks for what is to be taken up once a second until all of it is, and once in `seldomMs` from then on. Resolves then, or when
 * the signal ends it. @throws what the database refuses
 */
export async function askSeldomOnceTakenUp(ended: AbortSignal, seldomMs: number): Promise<void> {
  for (;;) {
    try {
      await delay(2 * secondMs, undefined, { signal: ended })
    } catch {
      return
    }
    const left = await DBOS.listQueuedWorkflows({
      queueName,
      status: 'ENQUEUED',
      limit: 1,
      loadInput: false,
    })
    if (left.length > 0) continue
    const queue = wfQueueRunner.getInternalQueue(queueName)
    if (!queue) throw new Error('The job library has no queue of its own any more')
    queue.minPollingIntervalMs = seldomMs
    return
  }
}
