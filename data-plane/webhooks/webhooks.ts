import type { Log } from '#kit/log'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { OpenProject } from '../projects/open-project.ts'
import { createWorkers } from '../projects/workers.ts'
import type { OwnFunctions } from './call.ts'
import { Sender, type SenderOptions } from './sender.ts'
import type { WebhookSource } from './source.ts'
import { createKnownKeys } from './known-keys.ts'

type Options = {
  source: WebhookSource
  /** Rejects while the project has no running database. */
  open: (ref: string) => Promise<OpenProject | undefined>
  fetch: SafeFetch
  ownFunctionsOf: (project: OpenProject) => OwnFunctions | undefined
  log: Log
  timing?: SenderOptions['timing']
}

const usualTiming = { look: 30_000, forget: 600_000 }

/** A sender for every project that has calls to make, as long as it runs. */
export function createWebhooks(options: Options) {
  const { source, open, fetch, ownFunctionsOf, log, timing = usualTiming } = options
  const keys = createKnownKeys(source)
  const workers = createWorkers({
    what: 'The webhooks',
    desired: () => source.webhooks(),
    onAnyChange: (listener) => source.onAnyChange(listener),
    open,
    start: (project) =>
      new Sender({ project, fetch, own: ownFunctionsOf(project), keysOf: keys.of, timing, log }),
    log,
  })
  return {
    start: workers.start,
    async close(): Promise<void> {
      keys.close()
      await workers.close()
    },
  }
}
